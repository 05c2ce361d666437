import styles from './step-heading.module.css';

type Props = {
  number: number;
  title: string;
  /** Shown once the step is done. */
  done: string | false;
};

/** The heading of one step of a checklist: its number, or a tick once it is done. */
export function StepHeading({ number, title, done }: Props) {
  return (
    <div className="row gap-12">
      <span className={styles.badge} data-done={done ? '' : undefined}>
        {done ? (
          <svg width="18" height="18" viewBox="0 0 24 24" aria-hidden="true">
            <path
              d="M4 12.5 9.5 18 20 7"
              fill="none"
              stroke="currentColor"
              strokeWidth="3"
              strokeLinecap="round"
              strokeLinejoin="round"
            />
          </svg>
        ) : (
          number
        )}
      </span>
      <h2 className="grow">{title}</h2>
      {done && <span className={`small strong ${styles.done}`}>{done}</span>}
    </div>
  );
}
