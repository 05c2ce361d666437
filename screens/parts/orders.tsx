import { money } from '../../islands/parts/money.ts';
import { percentOf } from '../../islands/parts/numerals.ts';
import { OrderSummary } from '../../islands/parts/order-summary.tsx';
import type { ScreenProps } from '../../worker/funnel/page.ts';
import type { PlanView } from '../../worker/funnel/plans.ts';
import styles from './orders.module.css';
import { billName } from './plan-line.ts';

type Words = Pick<ScreenProps, 'page' | 't'>;

function rowsOf(plan: PlanView, { page, t }: Words): [string, string][] {
  const price = money(plan.price, plan.currency, page.language);
  const then = t(`summary.${plan.period}`, { price, date: plan.renewal });
  const rows: [string, string][] = [[t('summary.then'), then]];
  if (plan.savePercent) {
    const percent = percentOf(plan.savePercent, page.language);
    rows.unshift([t('summary.save'), t('summary.saving', { percent })]);
  }
  if (plan.listPrice) {
    const less = money(plan.periodPrice - plan.listPrice, plan.currency, page.language);
    rows.unshift([t('summary.discount'), less.replace('-', '−')]);
  }
  return rows;
}

/**
 * The sums of every plan on offer, of which CSS shows the chosen one: right before any script runs.
 * The plan's radio must be inside the same element as this one, marked `data-order`.
 */
export function Orders({ page, t }: Words) {
  return (
    <div className={styles.orders}>
      {page.plans.map((plan) => (
        <div key={plan.id} data-plan={plan.family}>
          <OrderSummary
            title={t('summary.title')}
            name={billName(plan, t)}
            today={[t('summary.today'), money(plan.periodPrice, plan.currency, page.language)]}
            rows={rowsOf(plan, { page, t })}
            note={t('summary.until')}
          />
        </div>
      ))}
    </div>
  );
}
