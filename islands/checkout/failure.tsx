import { sentencesOf } from '../../locales/format/sentences.ts';
import { LineIcon } from '../ui/line-icon.tsx';
import styles from './failure.module.css';
import type { RefusalReason } from './way-forward.ts';

interface Props extends RefusalReason {
  /** What failed, such as `Google Pay`. */
  title?: string | undefined;
  text: Record<'reload' | 'manage' | 'support', string> & { retry?: string; plans?: string };
  /** It takes the form's place. */
  whole?: boolean;
  /** Without it the button that failed is beside the message. */
  onRetry?: (() => void) | undefined;
}

/** Nobody refused where no answer came, and nothing is wrong where the buyer has paid or is about to. */
const tones: Readonly<Record<string, string | undefined>> = {
  manage: styles.quiet,
  lost: styles.lost,
  plans: styles.lost,
};

const signs = {
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 1 0 0-18M12 7v5l3 2',
  warning: 'M12 3 2.5 20h19zM12 10v4M12 17v.01',
};

const pages = { manage: '/manage', support: '/support', plans: '#plans' } as const;

function Onward({ way, text, onRetry }: Pick<Props, 'way' | 'text' | 'onRetry'>) {
  const isRetry = way === 'retry' || way === 'lost';
  if (way === 'none' || (isRetry && !onRetry)) return null;
  if (way === 'manage' || way === 'support' || way === 'plans') {
    return (
      <a className={`small strong tap ${styles.onward}`} href={pages[way]}>
        {text[way]}
      </a>
    );
  }
  const act = isRetry ? onRetry : () => location.reload();
  return (
    <button className={`text-button small ${styles.onward}`} type="button" onClick={act}>
      {text[isRetry ? 'retry' : way]}
    </button>
  );
}

/** Why a payment failed, and the way forward. It stays until the next try. */
export function Failure({ title, message, detail, whole, ...onward }: Props) {
  const [first = ''] = sentencesOf(message);
  const rest = message.slice(first.length).trim();
  return (
    <div
      className={`notice ${styles.failure} ${tones[onward.way] ?? ''}`}
      data-dead={whole ? '' : undefined}
    >
      <LineIcon path={onward.way === 'manage' ? signs.clock : signs.warning} />
      <div className="stack gap-4" role="alert">
        {detail && <p className="fine-print">{detail}</p>}
        <p className="small">
          <b>{title ? `${title} · ${first}` : first}</b>
          {rest && ` ${rest}`}
        </p>
      </div>
      <Onward {...onward} />
    </div>
  );
}
