import { CircleProgress } from './circle-progress.tsx';
import styles from './search-steps.module.css';
import { SegmentedProgress } from './segmented-progress.tsx';

type Props = {
  label: string;
  steps: readonly string[];
  /** How many steps are done; the next one is under way. */
  done: number;
  /** What fills with them: a line above, a small ring beside; `none` where it is drawn elsewhere. */
  meter: 'line' | 'small' | 'none';
};

const smallRing = 72;

/** Steps of a work under way, with what fills as they are done. */
export function SearchSteps({ label, steps, done, meter }: Props) {
  const percent = (100 * done) / steps.length;
  return (
    <div className={meter === 'small' ? styles.beside : styles.steps}>
      {meter === 'line' && <SegmentedProgress total={steps.length} done={done} label={label} />}
      {meter === 'small' && <CircleProgress percent={percent} size={smallRing} label={label} />}
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
