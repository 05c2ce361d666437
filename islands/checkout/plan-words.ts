import { interpolate } from '../../locales/format/interpolate.ts';
import { money } from '../../locales/format/money.ts';
import { percentOf } from '../../locales/format/numerals.ts';
import { monthsOfPeriod } from '../../locales/format/periods.ts';
import { pluralOf } from '../../locales/format/plural.ts';
import type { IslandText } from '../../locales/index.ts';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';

/** A period's name, and how often a plan of that period renews: `3 months`, `every 3 months`. */
export type Cycles = { readonly [period: string]: readonly [name: string, every: string] };

type Texts = IslandText['plan-picker'];
/** Those of a free start only where a plan has one. */
export type PlanTexts = Omit<Texts, 'hold' | 'over' | 'free_one' | 'free_other'> &
  Partial<Pick<Texts, 'free_one' | 'free_other'>>;

/** A plan's formatted texts and amounts. @param shown the plans beside it, which its saving may name */
export function planWords(
  plan: PlanView,
  text: PlanTexts,
  language: string,
  cycles: Cycles,
  shown: readonly PlanView[] = [],
) {
  const amount = (minor: number) => money(minor, plan.currency, language);
  const count = plan.introDays;
  const monthly = plan.saving?.monthly;
  const isBeside = shown.some(({ period, price }) => period === 'month' && price === monthly);
  const months = monthsOfPeriod[plan.period];
  const [name, every] = cycles[plan.period] ?? ['', ''];
  const values = {
    every,
    month: amount(Math.round(plan.price / (months || 1))),
    price: amount(plan.price),
  };
  const [perMonth = ''] = /^[^,،、]*(?=[,،、])/.exec(text.billed) ?? [];
  const isLong = months > 1;
  const renews = interpolate(isLong ? text.billed : text.renews, values);
  return {
    title: count
      ? interpolate(pluralOf(text, plan.periodPrice ? 'intro' : 'free', count, language), { count })
      : name,
    /** The renewal's beginning, by which it is compared with a monthly plan. */
    perMonth: months && !count ? interpolate(perMonth, values) : '',
    renewal: count ? interpolate(text.then, values) : plan.period === 'once' ? every : renews,
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
