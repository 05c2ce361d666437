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
type Rare = 'free_one' | 'free_other' | 'old_price';
/** Those of a free start and of an old price only where a plan has one. */
export type PlanTexts = Omit<Texts, 'hold' | 'after' | 'over' | Rare> & Partial<Pick<Texts, Rare>>;

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
  const isOnce = plan.period === 'once';
  const isLong = months > 1;
  const renews = interpolate(isLong ? text.billed : text.renews, values);
  const start = count
    ? interpolate(pluralOf(text, plan.periodPrice ? 'intro' : 'free', count, language), { count })
    : '';
  // Plans that begin alike are told apart by what they become.
  const isTwin = shown.some(
    ({ id, introDays, periodPrice }) =>
      id !== plan.id && introDays === count && periodPrice === plan.periodPrice,
  );
  const then = interpolate(text.then, values);
  const twin = [`${name}\u00a0· ${values.price}`, `${start} · ${interpolate(text.renews, values)}`];
  const begins = plan.name ? ['', `${start} · ${then}`] : isTwin ? twin : [start, then];
  const [title = '', renewal = ''] = start ? begins : [name, isOnce ? every : renews];
  return {
    title: plan.name ?? title,
    /** The renewal's beginning, by which it is compared with a monthly plan. */
    perMonth: isLong && !count ? interpolate(perMonth, values) : '',
    renewal,
    /** In cards side by side all have the same lines. */
    beside: months >= 1 &&
      !start && {
        perMonth: interpolate(perMonth, values),
        renewal: interpolate(text.renews, values),
      },
    label: plan.bestValue ? text.best : undefined,
    saving: plan.saving
      ? interpolate(isBeside ? text.save : text.save_month, {
          percent: percentOf(plan.saving.percent, language),
          price: amount(plan.saving.monthly),
        })
      : undefined,
    oldPrice: plan.listPrice ? amount(plan.listPrice) : undefined,
    oldPriceSpoken: plan.listPrice
      ? interpolate(text.old_price ?? '', { price: amount(plan.listPrice) })
      : undefined,
  };
}
