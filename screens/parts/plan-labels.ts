import type { Cycles } from '../../islands/checkout/plan-words.ts';
import { money } from '../../locales/format/money.ts';
import type { Text } from '../../locales/index.ts';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';
import type { PageCheckout } from '../../worker/rendering/page-types.ts';

/** A plan's name, such as `7-day intro`. */
export function planName(plan: PlanView, t: Text): string {
  const { introDays: count } = plan;
  if (plan.name) return plan.name;
  if (count) return t(plan.periodPrice ? 'plans.intro' : 'plans.free', { count });
  return plan.period === 'once' ? t('upsell.once') : t(`plans.${plan.period}`);
}

/** How often a plan of this period renews, such as `every 3 months`. */
export const everyPeriod = (period: PlanView['period'], t: Text): string =>
  period === 'once' ? '' : t(`plans.every.${period}`);

export const cyclesOf = (
  { plans, plansAfterOffer }: Pick<PageCheckout, 'plans' | 'plansAfterOffer'>,
  t: Text,
): Cycles =>
  Object.fromEntries(
    [...plans, ...plansAfterOffer].map(({ period }) => [
      period,
      period === 'once'
        ? [t('upsell.once'), t('summary.once')]
        : [t(`plans.${period}`), everyPeriod(period, t)],
    ]),
  );

/** Today's price and the renewal in one line. */
export function planLine(plan: PlanView, t: Text, language: string): string {
  const price = money(plan.price, plan.currency, language);
  if (plan.period === 'once') return t('plans.line.once', { price });
  const every = everyPeriod(plan.period, t);
  if (!plan.introDays) return t('plans.line.renews', { price, every });
  const count = plan.introDays;
  if (!plan.periodPrice) return t('plans.line.free', { price, every, count });
  const today = money(plan.periodPrice, plan.currency, language);
  return t('plans.line.intro', { today, price, every, count });
}

export const renewalLine = ({ period, renewal: date }: PlanView, t: Text, price: string): string =>
  period === 'once'
    ? t('summary.once')
    : t('summary.renews', { price, date, every: everyPeriod(period, t) });
