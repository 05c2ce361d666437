import styles from './reload-link.module.css';

/** The address that the page was opened at, its query too. */
const again = '';

type Props = { text: { stuck: string; reload: string } };

/**
 * Says of what is still awaited that it takes long, and offers to load the page anew. Shown by CSS
 * alone, because what failed may be the very script that would say so.
 */
export function ReloadLink({ text }: Props) {
  return (
    <p className={styles.stuck}>
      {text.stuck} <a href={again}>{text.reload}</a>
    </p>
  );
}
