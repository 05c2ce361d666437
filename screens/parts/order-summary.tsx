import OrderSummary, { type Bill } from '../../islands/order-summary.tsx';
import { Island } from '../../islands/runtime/hydration/island.tsx';
import { money } from '../../locales/format/money.ts';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';
import type { ScreenProps } from '../../worker/rendering/page-types.ts';
import { planName } from './plan-labels.ts';

function rowsOf(plan: PlanView, { page, t }: ScreenProps): Bill['rows'] {
  const price = money(plan.price, plan.currency, page.language);
  const then = t(`summary.${plan.period}`, { price, date: plan.renewal });
  const rows: Bill['rows'] = [[t('summary.then'), then]];
  if (plan.reminder) rows.unshift([plan.reminder, t('summary.reminder')]);
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
    title: t('summary.title'),
    name: planName(plan, t),
    today: t('summary.today'),
    rows: rowsOf(plan, props),
    timeline: plan.introDays !== 0,
    note: page.market.tax ? `${t('summary.until')} ${t('summary.tax')}` : t('summary.until'),
  }));
  return (
    <Island
      of={OrderSummary}
      when="idle"
      text={text['order-summary']}
      plans={plans}
      plansAfterOffer={plansAfterOffer}
      bills={bills}
      language={page.language}
      coupons={hasCoupons}
    />
  );
}
