import styles from '../search-progress.module.css';
import { CircleProgress } from '../ui/circle-progress.tsx';
import { SegmentedProgress } from '../ui/segmented-progress.tsx';

export interface LookupStep {
  text: string;
  emptyText?: string | undefined;
}

type Props = {
  label: string;
  steps: readonly LookupStep[];
  done: number;
  /** `line`: a bar above; `small`: a ring beside; `none`: drawn elsewhere. */
  meter: 'line' | 'small' | 'none';
};

const smallRing = 72;

function stateOf(at: number, done: number, { emptyText }: LookupStep): string | undefined {
  if (at < done) return emptyText ? 'none' : 'done';
  return at === done ? 'now' : undefined;
}

export function LookupSteps({ label, steps, done, meter }: Props) {
  const percent = (100 * done) / steps.length;
  return (
    <div className={meter === 'small' ? `beside gap-24 ${styles.beside}` : 'stack gap-16'}>
      {meter === 'line' && <SegmentedProgress total={steps.length} done={done} label={label} />}
      {meter === 'small' && <CircleProgress percent={percent} size={smallRing} label={label} />}
      <ol
        className={`stack gap-8 shrink ${styles.steps} ${meter === 'small' ? styles.narrow : ''}`}
      >
        {steps.map((step, at) => (
          <li key={step.text} data-state={stateOf(at, done, step)}>
            {(at < done && step.emptyText) || step.text}
          </li>
        ))}
      </ol>
    </div>
  );
}
