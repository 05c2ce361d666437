import styles from './disc.module.css';
import { Tick } from './tick.tsx';

type Props = {
  title: string;
  /** Shown once the step is done. */
  done: string | false;
};

/** The heading of a step, with a tick once it is done. */
export function StepHeading({ title, done }: Props) {
  return (
    <div className="row gap-12">
      {done && <Tick />}
      <h2 className="grow">{title}</h2>
      {done && <span className={`small strong ${styles.done}`}>{done}</span>}
    </div>
  );
}
