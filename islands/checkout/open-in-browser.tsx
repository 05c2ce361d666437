import type { IslandText } from '../../locales/index.ts';
import styles from './open-in-browser.module.css';

type Props = {
  text: IslandText['wallet-buttons'];
  /** The wallet that this in-app browser cannot offer. */
  wallet: 'apple' | 'google';
  state: 'idle' | 'pending' | 'sent' | 'failed';
  onCopy: () => void;
};

export function OpenInBrowser({ text, wallet, state, onCopy }: Props) {
  return (
    <div className={`small row spread gap-12 ${styles.other}`}>
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
