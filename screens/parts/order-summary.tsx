import { PerPlan } from '../../islands/checkout/per-plan.tsx';
import steps from '../../islands/order-summary.module.css';
import OrderSummary, { type Bill } from '../../islands/order-summary.tsx';
import { Island } from '../../islands/runtime/hydration/island.tsx';
import { money } from '../../locales/format/money.ts';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';
import type { PartProps, ScreenProps } from '../../worker/rendering/page-types.ts';
import styles from './order-summary.module.css';
import { planName } from './plan-labels.ts';
import { Renewal } from './renewal.tsx';

/** What the plan costs later, bound to today's amount and above every way to pay it. */
function Later({ page, t }: PartProps<'checkout' | 'language'>) {
  const line = (plan: PlanView) => {
    const step = plan.introDays ? `small ${steps.step}` : 'small';
    return (
      <div key={plan.id}>
        {plan.description && <p className="small">{plan.description}</p>}
        {plan.reminder && (
          <p className={step}>{`${plan.reminder} · ${t('summary.reminder_on')}`}</p>
        )}
        <p className={step}>
          <Renewal page={page} t={t} plan={plan} />
          {plan.period !== 'once' && ` ${t('summary.until')}`}
        </p>
      </div>
    );
  };
  const { plans, plansAfterOffer } = page.checkout;
  return <PerPlan offer={plans.map(line)} plansAfterOffer={plansAfterOffer.map(line)} />;
}

function rowsOf(plan: PlanView, { page, t }: ScreenProps): Bill['rows'] {
  if (!plan.listPrice) return [];
  const less = money(plan.periodPrice - plan.listPrice, plan.currency, page.language);
  return [[t('summary.discount'), less.replace('-', '−')]];
}

export function OrderSummarySection(props: ScreenProps) {
  const { page, t, text } = props;
  const { plans, plansAfterOffer, hasCoupons } = page.checkout;
  const { free, ...words } = text['order-summary'];
  const hasTrial = plans.some((plan) => plan.introDays !== 0 && plan.periodPrice === 0);
  const bills = [...plans, ...plansAfterOffer].map((plan) => ({
    name: `${page.brand} · ${planName(plan, t)}`,
    rows: rowsOf(plan, props),
  }));
  return (
    <div className={`notice stack ${styles.order}`}>
      <Island
        of={OrderSummary}
        when="idle"
        text={
          hasCoupons
            ? { ...words, close: text['card-form'].challenge.close, ...(hasTrial && { free }) }
            : null
        }
        change={words.change}
        plans={plans}
        plansAfterOffer={plansAfterOffer}
        bills={bills}
        title={t('summary.title')}
        today={t('summary.today')}
        note={page.market.tax ? t('summary.tax') : ''}
        language={page.language}
      />
      <Later page={page} t={t} />
    </div>
  );
}
