import type { IslandText } from '../../locales/index.ts';
import styles from './open-in-browser.module.css';

type Props = {
  text: IslandText['wallet-buttons'];
  /** The wallet that this browser withholds. */
  wallet: 'apple' | 'google';
  state: 'idle' | 'pending' | 'sent' | 'failed';
  onCopy: () => void;
};

/** Where an app's own browser has no wallets: a link that opens this page in another one. */
export function OpenInBrowser({ text, wallet, state, onCopy }: Props) {
  return (
    <div className={styles.other}>
      <p role="status">
        {state === 'sent' ? text.copied : state === 'failed' ? text.failed : text[wallet]}
      </p>
      <button
        className={styles.copy}
        type="button"
        aria-busy={state === 'pending' || undefined}
        onClick={onCopy}
      >
        {text.copy}
      </button>
    </div>
  );
}
