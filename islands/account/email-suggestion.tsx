import styles from '../email-form.module.css';

type Props = {
  /** A sentence with an `{{email}}` placeholder. */
  text: string;
  email: string;
  onAccept: () => void;
};

/**
 * Offers a corrected address in one line; a long one is shortened in the middle, never in its host.
 */
export function EmailSuggestion({ text, email, onAccept }: Props) {
  const [before, after] = text.split('{{email}}');
  const at = email.lastIndexOf('@');
  return (
    <button
      className={`small ${styles.suggestion}`}
      type="button"
      data-shortcut=""
      onClick={onAccept}
    >
      <span>{before}</span>
      <span className={`beside shrink strong ${styles.address}`} dir="ltr">
        <span className={styles.local}>{email.slice(0, at)}</span>
        <span>{email.slice(at)}</span>
      </span>
      <span>{after}</span>
    </button>
  );
}
