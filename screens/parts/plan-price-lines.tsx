import { PerPlan } from '../../islands/checkout/per-plan.tsx';
import type { PlanView } from '../../worker/catalog/plans.ts';
import type { ScreenProps } from '../../worker/page-types.ts';
import { planLine } from './plan-labels.ts';
import styles from './plan-price-lines.module.css';

/** What the chosen plan costs, now and later, in one line beside the button that leads on. */
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
