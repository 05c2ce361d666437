import type { ReactNode } from 'react';
import { PerPlan } from '../../islands/checkout/per-plan.tsx';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';
import type { PartProps } from '../../worker/rendering/page-types.ts';
import styles from './plan-bar.module.css';
import { planLine } from './plan-labels.ts';

type Props = PartProps<'checkout' | 'language'> & { children: ReactNode };

/** The chosen plan's price and renewal on one line above the link to the payment. */
export function PlanBar({ page, t, children }: Props) {
  const { plans, plansAfterOffer } = page.checkout;
  const line = (plan: PlanView) => (
    <p key={plan.id} className={`small strong tabular ${styles.line}`}>
      {planLine(plan, t, page.language)}
    </p>
  );
  return (
    <>
      <div className={styles.lines}>
        <PerPlan offer={plans.map(line)} plansAfterOffer={plansAfterOffer.map(line)} />
      </div>
      {children}
    </>
  );
}
