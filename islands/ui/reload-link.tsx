import styles from './reload-link.module.css';

const again = '';

type Props = { text: { stuck: string; reload: string } };

export function ReloadLink({ text }: Props) {
  return (
    <p className={`small center ${styles.stuck}`}>
      {text.stuck} <a href={again}>{text.reload}</a>
    </p>
  );
}
