import styles from './steps.module.css';

type Step = { title: string; text?: string };

export function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={styles.steps}>
      {steps.map(({ title, text }) => (
        <li key={title} className={styles.step}>
          <span className={styles.title}>{title}</span>
          {text && <span className={`note ${styles.text}`}>{text}</span>}
        </li>
      ))}
    </ol>
  );
}
