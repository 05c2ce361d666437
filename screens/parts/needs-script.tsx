import styles from './needs-script.module.css';

/** Says to who has no JavaScript that this page cannot work without it, and what does. */
export function NeedsScript({ text }: { text: string }) {
  return (
    <noscript>
      <p className={styles.notice}>{text}</p>
    </noscript>
  );
}
