import { LineIcon } from '../ui/line-icon.tsx';
import styles from './failure.module.css';
import type { Reason, Way } from './way-forward.ts';

interface Props extends Reason {
  text: Record<'reload' | 'manage' | 'support', string> & { retry?: string };
  /** Without it the button that failed is beside the message. */
  onRetry?: (() => void) | undefined;
}

const pages = { manage: '/manage', support: '/support' } as const;

function Onward({ way, text, onRetry }: Omit<Props, keyof Reason> & { way: Way }) {
  if (way === 'none' || (way === 'retry' && !onRetry)) return null;
  if (way === 'manage' || way === 'support') {
    return (
      <a className={`small strong tap ${styles.onward}`} href={pages[way]}>
        {text[way]}
      </a>
    );
  }
  const act = way === 'retry' ? onRetry : () => location.reload();
  return (
    <button className={`small-button small strong ${styles.onward}`} type="button" onClick={act}>
      {text[way]}
    </button>
  );
}

/** Why a payment failed, and the way forward. It stays until the next try. */
export function Failure({ message, detail, ...onward }: Props) {
  return (
    <div className={`notice ${styles.failure} ${onward.way === 'manage' ? '' : styles.alarm}`}>
      <LineIcon path="M12 3 2.5 20h19zM12 10v4M12 17v.01" />
      <div className="stack gap-4" role="alert">
        <p className="small">{message}</p>
        {detail && <p className="fine-print">{detail}</p>}
      </div>
      <Onward {...onward} />
    </div>
  );
}
