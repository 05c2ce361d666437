import styles from '../search-progress.module.css';
import { CircleProgress } from '../ui/circle-progress.tsx';

type SegmentsProps = {
  total: number;
  done: number;
  label: string;
};

export function SegmentedProgress({ total, done, label }: SegmentsProps) {
  const segments = Array.from({ length: total }, (_, at) => at);
  return (
    <div
      className={styles.line}
      role="progressbar"
      aria-label={label}
      aria-valuenow={done}
      aria-valuemin={0}
      aria-valuemax={total}
    >
      {segments.map((at) => (
        <span
          key={at}
          className={at < done ? styles.done : at === done ? styles.now : styles.rest}
        />
      ))}
    </div>
  );
}

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
