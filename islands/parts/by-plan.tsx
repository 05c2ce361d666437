import type { ReactNode } from 'react';
import styles from './by-plan.module.css';

type Props = {
  /** One for each plan of the offer, in their order. */
  held: ReactNode[];
  /** The same for the plans after it. */
  after: ReactNode[];
};

/** Of what is there for every plan, that of the chosen one, without script. Inside `main`. */
export function ByPlan({ held, after }: Props) {
  return (
    <div className={styles.groups}>
      <div className={styles.held}>{held}</div>
      {after.length > 0 && <div className={styles.after}>{after}</div>}
    </div>
  );
}
