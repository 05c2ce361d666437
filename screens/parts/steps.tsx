import styles from './steps.module.css';

type Step = { title: string; text?: string };

type Props = {
  steps: readonly Step[];
  /** Whether the first step is the next thing to do. */
  begins?: boolean;
};

export function Steps({ steps, begins = false }: Props) {
  return (
    <ol className={`stack gap-20 ${styles.steps} ${begins ? styles.begins : ''}`}>
      {steps.map(({ title, text }) => (
        <li key={title} className={`stack gap-4 ${styles.step}`}>
          <span className="strong">{title}</span>
          {text && <span className="note">{text}</span>}
        </li>
      ))}
    </ol>
  );
}
