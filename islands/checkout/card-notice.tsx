import { useEffect, useRef } from 'react';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { IslandText } from '../../locales/index.ts';
import type { GatewayName } from '../../worker/payments/purchase/state.ts';
import { LineIcon } from '../ui/line-icon.tsx';
import styles from './card-fields.module.css';
import { Failure } from './failure.tsx';
import type { Way } from './way-forward.ts';

const companies: Record<GatewayName, string> = { stripe: 'Stripe', braintree: 'Braintree' };

const signs = {
  lock: 'M7 11V8a5 5 0 0 1 10 0v3M5 11h14v9H5z',
  warning: 'M12 3 2.5 20h19zM12 10v4M12 17v.01',
};

interface Props {
  text: IslandText['card-form'] & { secure: string; by: string };
  /** Why the last payment failed; empty if none did. */
  failure: string;
  way: Way;
  takeover: { from: GatewayName; to: GatewayName } | null;
  company: GatewayName;
  onRetry: () => void;
}

/** Below the card's fields: why the payment failed, which provider took over, or who keeps the card safe. */
export function CardNotice({ text, failure, way, takeover, company, onRetry }: Props) {
  const notice = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (takeover) notice.current?.scrollIntoView({ block: 'nearest' });
  }, [takeover]);
  return (
    <div
      className={`${failure || takeover ? 'row' : 'beside'}${failure ? '' : ' wrap'} ${styles.state}`}
    >
      {failure ? (
        <div className={styles.failed}>
          <Failure message={failure} way={way} text={text} onRetry={onRetry} />
        </div>
      ) : takeover ? (
        <>
          <LineIcon path={signs.warning} />
          {/* A new element, so that the note does not count as moved. */}
          <p
            key="takeover"
            ref={notice}
            className={`small grow shrink ${styles.takeover}`}
            role="alert"
          >
            {interpolate(text.takeover, {
              from: companies[takeover.from],
              to: companies[takeover.to],
            })}
          </p>
        </>
      ) : (
        <>
          <LineIcon path={signs.lock} />
          <div className="stack gap-4 grow shrink top">
            <p className="note">{text.secure}</p>
            <p className={`tiny row ${styles.provider}`}>
              {text.by}
              <b className={styles.company} translate="no">
                {companies[company]}
              </b>
            </p>
          </div>
        </>
      )}
    </div>
  );
}
