import OrderSummary, { type Bill } from '../../islands/order-summary.tsx';
import { Island } from '../../islands/runtime/hydration/island.tsx';
import { money } from '../../locales/format/money.ts';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';
import type { ScreenProps } from '../../worker/rendering/page-types.ts';
import { everyPeriod, planName } from './plan-labels.ts';

function rowsOf(plan: PlanView, { page, t }: ScreenProps): Bill['rows'] {
  const price = money(plan.price, plan.currency, page.language);
  const rows: Bill['rows'] = [];
  // The renewal of other plans is said at the plan and below the amounts.
  if (plan.reminder) {
    rows.push([plan.reminder, t(plan.periodPrice ? 'summary.reminder' : 'summary.reminder_week')]);
    rows.push([
      plan.renewal,
      t('plans.line.renews', { price, every: everyPeriod(plan.period, t) }),
    ]);
  }
  if (plan.listPrice) {
    const less = money(plan.periodPrice - plan.listPrice, plan.currency, page.language);
    rows.unshift([t('summary.discount'), less.replace('-', '−')]);
  }
  return rows;
}

export function OrderSummarySection(props: ScreenProps) {
  const { page, t, text } = props;
  const { plans, plansAfterOffer, hasCoupons } = page.checkout;
  const bills = [...plans, ...plansAfterOffer].map((plan) => ({
    name: `${page.brand} · ${planName(plan, t)}`,
    rows: rowsOf(plan, props),
  }));
  return (
    <Island
      of={OrderSummary}
      when="idle"
      text={text['order-summary']}
      plans={plans}
      plansAfterOffer={plansAfterOffer}
      bills={bills}
      title={t('summary.title')}
      today={t('summary.today')}
      note={page.market.tax ? t('summary.tax') : ''}
      language={page.language}
      coupons={hasCoupons}
    />
  );
}
