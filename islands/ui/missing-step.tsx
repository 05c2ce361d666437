import styles from './missing-step.module.css';

type Props = { text: string; label: string; href: string };

/** Names the missing step and links to it. */
export function MissingStep({ text, label, href }: Props) {
  return (
    <div className={styles.missing} data-missing="">
      <p>{text}</p>
      <a className={styles.link} href={href} data-navigate="">
        {label}
      </a>
    </div>
  );
}
