import styles from './search-steps.module.css';
import { SegmentedProgress } from './segmented-progress.tsx';

type Props = {
  label: string;
  steps: readonly string[];
  /** How many steps are done; the next one is under way. */
  done: number;
};

/** Steps of a work under way, with a line above that fills with them. */
export function SearchSteps({ label, steps, done }: Props) {
  return (
    <div className={styles.steps}>
      <SegmentedProgress total={steps.length} done={done} label={label} />
      <ol className={styles.list}>
        {steps.map((step, at) => (
          <li key={step} className={at < done ? styles.done : at === done ? styles.now : undefined}>
            {step}
          </li>
        ))}
      </ol>
    </div>
  );
}
