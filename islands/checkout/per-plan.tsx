import type { ReactElement } from 'react';
import styles from './per-plan.module.css';

type Props = {
  /** One keyed element per plan of the offer, in the same order. */
  offer: ReactElement[];
  /** The same for the plans after the offer. */
  plansAfterOffer: ReactElement[];
};

const boxes = (items: ReactElement[]) => items.map((item) => <div key={item.key}>{item}</div>);

/** Shows the element of the selected plan by CSS alone. Must be inside `main`. */
export function PerPlan({ offer, plansAfterOffer }: Props) {
  return (
    <div className={`stack ${styles.groups}`}>
      <div className={styles.offer}>{boxes(offer)}</div>
      {plansAfterOffer.length > 0 && (
        <div className={styles.afterOffer}>{boxes(plansAfterOffer)}</div>
      )}
    </div>
  );
}
