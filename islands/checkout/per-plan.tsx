import type { ReactElement } from 'react';
import styles from './per-plan.module.css';

type Props = {
  /** One for each plan of the offer, in their order, each with its key. */
  held: ReactElement[];
  /** The same for the plans after it. */
  after: ReactElement[];
};

const boxes = (items: ReactElement[]) => items.map((item) => <div key={item.key}>{item}</div>);

/** Of what is there for every plan, that of the chosen one, without script. Inside `main`. */
export function PerPlan({ held, after }: Props) {
  return (
    <div className={styles.groups}>
      <div className={styles.held}>{boxes(held)}</div>
      {after.length > 0 && <div className={styles.after}>{boxes(after)}</div>}
    </div>
  );
}
