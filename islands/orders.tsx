import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import type { PlanView } from '../worker/funnel/plans.ts';
import styles from './orders.module.css';
import { CouponField } from './parts/coupon-field.tsx';
import { money } from './parts/money.ts';
import { OrderSummary } from './parts/order-summary.tsx';
import { $plans, chosenOf, todayOf } from './stores/plans.ts';
import { useCoupon } from './stores/use-coupon.ts';

/** A plan's bill without a coupon, its words written out. */
export interface Bill {
  title: string;
  name: string;
  today: string;
  rows: [label: string, text: string][];
  note: string;
}

interface Props {
  text: IslandText['orders'];
  plans: PlanView[];
  /** In the plans' order. */
  bills: Bill[];
  /** BCP 47. */
  language: string;
  /** Whether there are coupons at all. */
  coupons: boolean;
}

/**
 * The sums of every plan on offer, of which CSS shows the chosen one: right before any script runs.
 * The plan's radio must be inside the same element as this one, marked `data-order`.
 */
export default function Orders({ text, plans, bills, language, coupons }: Props) {
  const { plan: chosen, couponDetails: coupon } = useStore($plans, {
    keys: ['plan', 'couponDetails'],
    ssr: 'initial',
  });
  const [opened, setOpened] = useState(false);
  const { code, error, pending, apply, remove } = useCoupon(plans, coupons, text.failed);

  const amount = (minor: number, { currency }: PlanView) => money(minor, currency, language);
  const summary = (plan: PlanView, { title, name, today, rows, note }: Bill) => (
    <OrderSummary
      title={title}
      name={name}
      today={[today, amount(todayOf(plan, coupon), plan)]}
      rows={rows}
      note={note}
    />
  );
  const plan = chosenOf(plans, chosen);
  const applied = plan && coupon?.plan === plan.id ? coupon : null;
  return (
    <div className={styles.box}>
      <div className={styles.orders}>
        {plans.map((plan, at) => (
          <div key={plan.id} data-plan={plan.family}>
            {bills[at] && summary(plan, bills[at])}
          </div>
        ))}
      </div>
      {coupons && (
        <CouponField
          text={text}
          applied={applied?.code ?? ''}
          off={applied && plan ? amount(-applied.discount, plan).replace('-', '−') : ''}
          code={code}
          error={error}
          pending={pending}
          opened={opened}
          onToggle={setOpened}
          onApply={apply}
          onRemove={remove}
        />
      )}
    </div>
  );
}
