import { useEffect, useRef } from 'react';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { IslandText } from '../../locales/index.ts';
import type { GatewayName } from '../../worker/payments/purchase/state.ts';
import { LineIcon } from '../ui/line-icon.tsx';
import styles from './card-fields.module.css';
import { Failure } from './failure.tsx';
import type { RefusalReason } from './way-forward.ts';

const companies: Record<GatewayName, string> = { stripe: 'Stripe', braintree: 'Braintree' };

const signs = {
  lock: 'M7 11V8a5 5 0 0 1 10 0v3M5 11h14v9H5z',
  warning: 'M12 3 2.5 20h19zM12 10v4M12 17v.01',
};

type ByProps = { by: string; company: GatewayName };

const Provider = ({ by, company }: ByProps) => (
  <p className={`tiny row ${styles.provider}`}>
    {by}
    <b className={styles[company]} translate="no">
      {companies[company]}
    </b>
  </p>
);

interface Props {
  text: IslandText['card-form'] & Record<'secure' | 'by' | 'bank', string>;
  pending: boolean;
  /** Why the last payment failed; null if none did. */
  failure: RefusalReason | null;
  takeover: { from: GatewayName; to: GatewayName } | null;
  company: GatewayName;
  /** Without it the button below is the way to try again. */
  onRetry?: (() => void) | undefined;
  retry?: string;
}

/** Above the button: why the payment failed, which provider took over, that it runs, or who keeps the card safe. */
export function CardNotice(props: Props) {
  const { text, pending, failure, takeover, company, onRetry, retry = props.text.retry } = props;
  const notice = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (takeover) notice.current?.scrollIntoView({ block: 'nearest' });
  }, [takeover]);
  if (failure) {
    return (
      // A new element, so that the note does not count as moved.
      <div key="failed" className={`stack gap-8 ${styles.state} ${styles.instead}`}>
        <Failure {...failure} text={{ ...text, retry }} onRetry={onRetry} />
        <div className={`row gap-8 ${styles.kept}`}>
          <LineIcon path={signs.lock} size={16} />
          <Provider by={text.by} company={company} />
        </div>
      </div>
    );
  }
  return (
    <div
      key={String(pending)}
      className={`${takeover && !pending ? 'row wrap' : 'beside'} ${styles.state} ${pending ? styles.instead : ''}`}
    >
      {takeover && !pending ? (
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
            <p className={pending ? 'small strong' : 'note'} role="status">
              {pending ? text.processing : text.secure}
            </p>
            {pending ? (
              <p className="note">{text.bank}</p>
            ) : (
              <Provider by={text.by} company={company} />
            )}
          </div>
        </>
      )}
    </div>
  );
}
