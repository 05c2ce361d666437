import type { ReactElement } from 'react';
import styles from './per-plan.module.css';

type Props = {
  offer: ReactElement[];
  plansAfterOffer: ReactElement[];
};

const boxes = (items: ReactElement[]) => items.map((item) => <div key={item.key}>{item}</div>);

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
