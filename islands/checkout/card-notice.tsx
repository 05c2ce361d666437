import { useEffect, useRef } from 'react';
import type { IslandText } from '../../locales/index.ts';
import type { GatewayName } from '../../worker/payments/purchase/state.ts';
import { LineIcon } from '../ui/line-icon.tsx';
import styles from './card-fields.module.css';
import { Failure } from './failure.tsx';
import type { RefusalReason } from './way-forward.ts';

const companies: Record<GatewayName, string> = { stripe: 'Stripe', braintree: 'Braintree' };

const lock = 'M7 11V8a5 5 0 0 1 10 0v3M5 11h14v9H5z';

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
  /** Why the last payment failed, or that the card is needed again; null otherwise. */
  failure: RefusalReason | null;
  company: GatewayName;
  /** Without it the button below is the way to try again. */
  onRetry?: (() => void) | undefined;
  retry?: string;
}

/** Above the button: why the payment failed, that it runs, or who keeps the card safe. */
export function CardNotice(props: Props) {
  const { text, pending, failure, company, onRetry, retry = props.text.retry } = props;
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (failure?.message) notice.current?.scrollIntoView({ block: 'nearest' });
  }, [failure?.message]);
  if (failure) {
    return (
      // A new element, so that the note does not count as moved.
      <div key="failed" ref={notice} className={`stack gap-8 ${styles.state} ${styles.instead}`}>
        <Failure {...failure} text={{ ...text, retry }} onRetry={onRetry} />
        <div className={`row gap-8 ${styles.kept}`}>
          <LineIcon path={lock} size={16} />
          <Provider by={text.by} company={company} />
        </div>
      </div>
    );
  }
  return (
    <div
      key={String(pending)}
      className={`beside ${styles.state} ${pending ? styles.instead : ''}`}
    >
      <LineIcon path={lock} />
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
    </div>
  );
}
