import { PerPlan } from '../../islands/checkout/per-plan.tsx';
import type { PlanView } from '../../worker/catalog/plans.ts';
import type { ScreenProps } from '../../worker/page-types.ts';
import { planLine } from './plan-labels.ts';
import styles from './plan-price-lines.module.css';

/** The selected plan's price and renewal in one line above the button. */
export function PlanPriceLines({ page, t }: Pick<ScreenProps, 'page' | 't'>) {
  const line = (plan: PlanView) => (
    <p key={plan.id} className={styles.line}>
      {planLine(plan, t, page.language)}
    </p>
  );
  return (
    <div className={styles.lines}>
      <PerPlan offer={page.plans.map(line)} plansAfterOffer={page.plansAfterOffer.map(line)} />
    </div>
  );
}
