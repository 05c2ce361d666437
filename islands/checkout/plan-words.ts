import { interpolate } from '../../locales/format/interpolate.ts';
import { money } from '../../locales/format/money.ts';
import { percentOf } from '../../locales/format/numerals.ts';
import { pluralOf } from '../../locales/format/plural.ts';
import type { IslandText } from '../../locales/index.ts';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';

/** A plan's formatted texts and amounts. @param shown the plans beside it, which its saving may name */
export function planWords(
  plan: PlanView,
  text: IslandText['plan-picker'],
  language: string,
  shown: readonly PlanView[] = [],
) {
  const amount = (minor: number) => money(minor, plan.currency, language);
  const count = plan.introDays;
  const monthly = plan.saving?.monthly;
  const isBeside = shown.some(({ period, price }) => period === 'month' && price === monthly);
  const isQuarter = plan.period === 'quarter';
  const month = { month: amount(isQuarter ? Math.round(plan.price / 3) : plan.price) };
  const [perMonth = ''] = /^[^,،、]*[,،、]/.exec(text.billed_quarter) ?? [];
  const eachMonth = plan.period === 'once' || count ? '' : interpolate(perMonth, month);
  const names = { month: text.monthly, quarter: text.quarterly, once: text.once };
  const renews = {
    month: `${eachMonth} ${text.renews_month}`.trim(),
    quarter: interpolate(text.billed_quarter, { ...month, price: amount(plan.price) }),
    once: text.renews_once,
  };
  return {
    title: count
      ? interpolate(pluralOf(text, 'intro', count, language), { count })
      : names[plan.period],
    /** The renewal's beginning, by which plans are compared. */
    perMonth: eachMonth,
    renewal: count ? interpolate(text.then, { price: amount(plan.price) }) : renews[plan.period],
    /** What is around the renewal's price after an intro. */
    follow: count ? { minor: plan.price, around: text.then.split('{{price}}') } : undefined,
    label: plan.bestValue ? text.best : undefined,
    saving: plan.saving
      ? interpolate(isBeside ? text.save : text.save_month, {
          percent: percentOf(plan.saving.percent, language),
          price: amount(plan.saving.monthly),
        })
      : undefined,
    oldPrice: plan.listPrice ? amount(plan.listPrice) : undefined,
    oldPriceSpoken: plan.listPrice
      ? interpolate(text.old_price, { price: amount(plan.listPrice) })
      : undefined,
  };
}
