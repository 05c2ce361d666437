import styles from './headline.module.css';

type Props = { title: string; lead?: string };

/** The screen's one heading, which takes the focus after navigation, and its lead. */
export function Headline({ title, lead }: Props) {
  return (
    <div className={styles.headline}>
      <h1 tabIndex={-1}>{title}</h1>
      {lead && <p className={styles.lead}>{lead}</p>}
    </div>
  );
}
