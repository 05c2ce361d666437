import styles from './steps.module.css';

type Step = { title: string; text?: string };

export function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={`stack gap-20 ${styles.steps}`}>
      {steps.map(({ title, text }) => (
        <li key={title} className={`stack gap-4 ${styles.step}`}>
          <span className="strong">{title}</span>
          {text && <span className="note">{text}</span>}
        </li>
      ))}
    </ol>
  );
}
