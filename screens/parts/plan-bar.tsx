import type { ReactNode } from 'react';
import { PerPlan } from '../../islands/checkout/per-plan.tsx';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';
import type { ScreenProps } from '../../worker/rendering/page-types.ts';
import styles from './plan-bar.module.css';
import { planLine } from './plan-labels.ts';

type Props = Pick<ScreenProps, 'page' | 't'> & { children: ReactNode };

/** The chosen plan's price and renewal on one line above the link to the payment. */
export function PlanBar({ page, t, children }: Props) {
  const line = (plan: PlanView) => (
    <p key={plan.id} className={`small strong tabular ${styles.line}`}>
      {planLine(plan, t, page.language)}
    </p>
  );
  return (
    <>
      <div className={styles.lines}>
        <PerPlan offer={page.plans.map(line)} plansAfterOffer={page.plansAfterOffer.map(line)} />
      </div>
      {children}
    </>
  );
}
