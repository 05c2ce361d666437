import type { ReactNode } from 'react';
import BarWallet from '../../islands/bar-wallet.tsx';
import { PerPlan } from '../../islands/checkout/per-plan.tsx';
import { Island } from '../../islands/runtime/hydration/island.tsx';
import { money } from '../../locales/format/money.ts';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';
import type { PartProps } from '../../worker/rendering/page-types.ts';
import styles from './plan-bar.module.css';
import { everyPeriod, planLine } from './plan-labels.ts';

type Props = PartProps<'checkout' | 'language'> & {
  closed: boolean;
  children: ReactNode;
};

/** The plan's price and renewal above the ways to pay it. With a coupon, the order has today's price. */
export function PlanBar({ page, t, closed, children }: Props) {
  const { plans, plansAfterOffer } = page.checkout;
  const line = (plan: PlanView) => {
    const price = money(plan.periodPrice, plan.currency, page.language);
    const every = everyPeriod(plan.period, t);
    return (
      <p key={plan.id} className="small strong center tabular" data-renewal={plan.id}>
        {plan.introDays || !every
          ? planLine(plan, t, page.language)
          : t('plans.today', { price, every })}
      </p>
    );
  };
  return (
    <div className={styles.bar} data-bar="">
      <div className={styles.lines}>
        <PerPlan offer={plans.map(line)} plansAfterOffer={plansAfterOffer.map(line)} />
      </div>
      <div className={styles.wallet}>
        <Island of={BarWallet} when="idle" sectionId="methods" closed={closed} />
      </div>
      {children}
    </div>
  );
}
