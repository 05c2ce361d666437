import styles from '../search-progress.module.css';
import { CircleProgress } from '../ui/circle-progress.tsx';

export interface LookupStep {
  text: string;
  /** Whether it found nothing. */
  isEmpty?: boolean;
}

type Props = {
  label: string;
  steps: readonly LookupStep[];
  done: number;
  /** `line`: a line that joins the steps; `small`: a ring beside the steps; `none`: drawn elsewhere. */
  meter: 'line' | 'small' | 'none';
};

const smallRing = 72;
const classNames = { line: styles.joined, small: styles.narrow, none: styles.joined };

function stateOf(at: number, done: number, { isEmpty }: LookupStep): string | undefined {
  if (at < done) return isEmpty ? 'none' : 'done';
  return at === done ? 'now' : undefined;
}

export function LookupSteps({ label, steps, done, meter }: Props) {
  const percent = (100 * done) / steps.length;
  return (
    <div className={meter === 'small' ? `beside ${styles.beside}` : undefined}>
      {meter === 'line' && (
        <div
          className="visually-hidden"
          role="progressbar"
          aria-label={label}
          aria-valuenow={done}
          aria-valuemin={0}
          aria-valuemax={steps.length}
        />
      )}
      {meter === 'small' && <CircleProgress percent={percent} size={smallRing} label={label} />}
      <ol className={`stack gap-8 shrink ${styles.steps} ${classNames[meter]}`}>
        {steps.map((step, at) => (
          <li key={step.text} data-state={stateOf(at, done, step)}>
            {step.text}
          </li>
        ))}
      </ol>
    </div>
  );
}
