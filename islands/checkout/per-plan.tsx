import type { ReactElement } from 'react';
import styles from './per-plan.module.css';

type Props = {
  /** One for each plan of the offer, in their order, each with its key. */
  offer: ReactElement[];
  /** The same for the plans after it. */
  plansAfterOffer: ReactElement[];
};

const boxes = (items: ReactElement[]) => items.map((item) => <div key={item.key}>{item}</div>);

/** Of what is there for every plan, that of the chosen one, without script. Inside `main`. */
export function PerPlan({ offer, plansAfterOffer }: Props) {
  return (
    <div className={styles.groups}>
      <div className={styles.offer}>{boxes(offer)}</div>
      {plansAfterOffer.length > 0 && (
        <div className={styles.afterOffer}>{boxes(plansAfterOffer)}</div>
      )}
    </div>
  );
}
