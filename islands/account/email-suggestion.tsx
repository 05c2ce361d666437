import styles from './email-suggestion.module.css';

type Props = {
  /** A sentence with `{{email}}` in it. */
  text: string;
  /** The address that was probably meant. */
  email: string;
  onTake: () => void;
};

/** One line that offers another address; a long one loses its middle, never its host. */
export function EmailSuggestion({ text, email, onTake }: Props) {
  const [before, after] = text.split('{{email}}');
  const at = email.lastIndexOf('@');
  return (
    <button className={styles.suggestion} type="button" data-shortcut="" onClick={onTake}>
      <span>{before}</span>
      <span className={styles.address} dir="ltr">
        <span className={styles.local}>{email.slice(0, at)}</span>
        <span>{email.slice(at)}</span>
      </span>
      <span>{after}</span>
    </button>
  );
}
