import styles from './reload-link.module.css';

const again = '';

type Props = { text: { stuck: string; reload: string } };

/**
 * Offers a reload when something takes too long. CSS alone shows it, because the late part may be the script itself.
 */
export function ReloadLink({ text }: Props) {
  return (
    <p className={`small center ${styles.stuck}`}>
      {text.stuck} <a href={again}>{text.reload}</a>
    </p>
  );
}
