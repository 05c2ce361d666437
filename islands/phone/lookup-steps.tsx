import { CircleProgress } from '../ui/circle-progress.tsx';
import { SegmentedProgress } from '../ui/segmented-progress.tsx';
import styles from './lookup-steps.module.css';

export interface LookupStep {
  text: string;
  /** What is said instead once the step is over and has found nothing. */
  nothing?: string | undefined;
}

type Props = {
  label: string;
  steps: readonly LookupStep[];
  /** How many steps are done; the next one is under way. */
  done: number;
  /** What fills with them: a line above, a small ring beside; `none` where it is drawn elsewhere. */
  meter: 'line' | 'small' | 'none';
};

const smallRing = 72;

/** How a step looks: over with or without a find, under way, or still to come. */
function stateOf(at: number, done: number, { nothing }: LookupStep): string | undefined {
  if (at < done) return nothing ? 'none' : 'done';
  return at === done ? 'now' : undefined;
}

/** Steps of a work under way, with what fills as they are done. */
export function LookupSteps({ label, steps, done, meter }: Props) {
  const percent = (100 * done) / steps.length;
  return (
    <div className={meter === 'small' ? styles.beside : styles.steps}>
      {meter === 'line' && <SegmentedProgress total={steps.length} done={done} label={label} />}
      {meter === 'small' && <CircleProgress percent={percent} size={smallRing} label={label} />}
      <ol className={styles.list}>
        {steps.map((step, at) => (
          <li key={step.text} data-state={stateOf(at, done, step)}>
            {(at < done && step.nothing) || step.text}
          </li>
        ))}
      </ol>
    </div>
  );
}
