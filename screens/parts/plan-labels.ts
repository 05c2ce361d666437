import { money } from '../../locales/format/money.ts';
import type { Text } from '../../locales/index.ts';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';

/** A plan's name, such as `7-day intro`. */
export function planName(plan: PlanView, t: Text): string {
  if (plan.introDays) return t('plans.intro', { count: plan.introDays });
  return plan.period === 'quarter' ? t('plans.quarterly') : t('plans.monthly');
}

/** Today's price and the renewal in one line. */
export function planLine(plan: PlanView, t: Text, language: string): string {
  const price = money(plan.price, plan.currency, language);
  if (!plan.introDays) return t(`plans.line.${plan.period}`, { price });
  const today = money(plan.periodPrice, plan.currency, language);
  return t('plans.line.intro', { today, price, count: plan.introDays });
}
