import styles from './disc.module.css';
import { Tick } from './tick.tsx';

type Props = {
  /** None once its checklist is over. */
  number: number | undefined;
  title: string;
  /** Shown once the step is done. */
  done: string | false;
};

/** The heading of one step of a checklist: its number, or a tick once it is done. */
export function StepHeading({ number, title, done }: Props) {
  return (
    <div className="row gap-12">
      {done ? (
        <Tick />
      ) : (
        number && <span className={`${styles.disc} ${styles.number}`}>{number}</span>
      )}
      <h2 className="grow">{title}</h2>
      {done && <span className={`small strong ${styles.done}`}>{done}</span>}
    </div>
  );
}
