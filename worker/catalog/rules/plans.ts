import { monthsOfPeriod } from '../../../locales/format/periods.ts';
import type { NamedText } from '../../content/rules/text-overrides.ts';
import { isOneOf } from '../../platform/keys.ts';
import { type Minor, minor, subtract } from '../../platform/types.ts';
import type { Currency } from './currencies.ts';

export const slots = ['main', 'upsell', 'guide'] as const;
/** A slot has at most one active subscription. */
export type Slot = (typeof slots)[number];

export const periods = ['week', 'month', 'quarter', 'half_year', 'year', 'once'] as const;
export type Period = (typeof periods)[number];
export type RenewingPeriod = Exclude<Period, 'once'>;
export const isPeriod = isOneOf(periods);

/** A version of a product: `monthly`, which is its first, or `monthly@4`. */
export type PlanFamily = string;
/** A version in one currency: `monthly_usd`, `monthly@4_usd`. */
export type PlanId = string;

interface BuiltInCoupon {
  code: string;
  percent: number;
}

/** What a typed coupon takes off each of so many next renewals. */
export interface Reduction {
  off: Minor;
  renewals: number;
  /** Of the month, on which months begin that are long enough. */
  day: number;
}

/** Keys of texts, such as `products.travel.name`, in place of what is derived from slot and period. */
interface ProductTexts {
  name?: string | undefined;
  description?: string | undefined;
}

export interface Plan extends PlanWords {
  id: PlanId;
  product: string;
  family: PlanFamily;
  slot: Slot;
  /** This plan is sold only with an active purchase in that slot, and ends with it. */
  dependsOn: Slot | null;
  /** Name at the providers and on their receipts; not translated. */
  productId: string;
  texts?: ProductTexts;
  period: Period;
  /** Each renewal, before the built-in coupon. */
  price: Minor;
  /** Today's charge, before coupons. */
  today: Minor;
  introDays: number;
  /** Of a charge that the provider converts: the worth of the smallest charge in USD, by this version's own prices. */
  least?: Minor;
  /** How long access lasts while a renewal is unpaid. */
  graceDays: number;
  list?: Minor;
  coupon?: BuiltInCoupon;
  reduction?: Reduction;
  currency: Currency;
  currencySymbol: string;
  /** The period that today's payment covers; null for a one-time purchase. */
  duration: { count: number; unit: 'day' | 'week' | 'month' } | null;
}

export const isFreeTrial = ({ introDays, today }: Pick<Plan, 'introDays' | 'today'>): boolean =>
  introDays !== 0 && today === 0;

/** What an e-mail says of a plan, as it was sold. */
export type MailPlan = Pick<
  Plan,
  'slot' | 'period' | 'currency' | 'introDays' | 'price' | 'coupon' | 'reduction' | 'texts'
> & { isFree?: true };

export const mailPlan = (plan: Plan): MailPlan => {
  const { slot, period, currency, introDays, price, texts, coupon, reduction } = plan;
  return {
    ...{ slot, period, currency, introDays, price },
    ...(texts && { texts }),
    ...(coupon && { coupon }),
    ...(reduction && { reduction }),
    ...(isFreeTrial(plan) && { isFree: true }),
  };
};

type Shape = Pick<Plan, 'slot' | 'period' | 'introDays'> & { isFree?: boolean };

interface PlanWords {
  name:
    | `plans.${RenewingPeriod | 'intro' | 'free'}`
    | 'upsell.once'
    | 'upsell.an_private.title'
    | 'upsell.guide.title';
  description: `plans.line.${'renews' | 'once' | 'intro'}` | 'upsell.price' | 'upsell.once';
  disclaimer: 'summary.until' | 'checkout.cancel' | 'summary.once';
}

export function wordsFor({ slot, period, introDays, isFree }: Shape): PlanWords {
  const once = period === 'once';
  const intro = introDays !== 0;
  const words: Record<Slot, PlanWords> = {
    main: {
      name: once ? 'upsell.once' : `plans.${isFree ? 'free' : intro ? 'intro' : period}`,
      description: `plans.line.${once ? 'once' : intro ? 'intro' : 'renews'}`,
      disclaimer: once ? 'summary.once' : 'summary.until',
    },
    upsell: {
      name: 'upsell.an_private.title',
      description: once ? 'upsell.once' : 'upsell.price',
      disclaimer: once ? 'summary.once' : 'checkout.cancel',
    },
    guide: {
      name: 'upsell.guide.title',
      description: once ? 'upsell.once' : 'upsell.price',
      disclaimer: once ? 'summary.once' : 'checkout.cancel',
    },
  };
  return words[slot];
}

export function durationOf({ period, introDays }: Shape): Plan['duration'] {
  if (introDays !== 0) return { count: introDays, unit: 'day' };
  if (period === 'once') return null;
  return period === 'week'
    ? { count: 1, unit: 'week' }
    : { count: monthsOfPeriod[period], unit: 'month' };
}

type Couponed = Pick<Plan, 'price' | 'coupon'>;

export const ownDiscount = ({ price, coupon }: Couponed): Minor =>
  minor(coupon ? Math.round((price * coupon.percent) / 100) : 0);

/** Purchases from before the built-in coupon do not have it. */
export const hasOwnCoupon = ({ coupon }: Couponed, code: string | null): boolean =>
  coupon !== undefined && coupon.code === code;

/** Of the next renewal. */
export const renewalPrice = (
  { reduction, ...row }: Couponed & Pick<Plan, 'reduction'>,
  code: string | null,
): Minor => {
  if (reduction) return subtract(row.price, reduction.off);
  return hasOwnCoupon(row, code) ? subtract(row.price, ownDiscount(row)) : row.price;
};

export const withoutReduction = <T extends Pick<Plan, 'reduction'>>({ reduction: _, ...plan }: T) =>
  plan;

/** Of a plan whose next renewal is paid. */
export const afterRenewal = (plan: Plan): Plan => {
  const reduction = reductionLeft(plan.reduction ?? null, 2);
  return { ...withoutReduction(plan), ...(reduction && { reduction }) };
};

/** What is left after these payments, the first one included. */
export function reductionLeft(sold: Reduction | null, payments: number): Reduction | undefined {
  const renewals = (sold?.renewals ?? 0) - Math.max(0, payments - 1);
  return sold && renewals > 0 ? { ...sold, renewals } : undefined;
}

/** A month counts as 30 days, so that prices per day compare. */
export const daysOfPeriod = {
  week: 7,
  month: 30,
  quarter: 90,
  half_year: 180,
  year: 360,
  once: 1,
} as const satisfies Record<Period, number>;

export const coveredDays = ({ introDays, period }: Pick<Plan, 'introDays' | 'period'>) =>
  introDays || daysOfPeriod[period];

export interface OwnWords {
  name?: string;
  description?: string;
}

/** What the catalog's texts say of a plan in one language. */
export function ownWords({ texts }: Pick<Plan, 'texts'>, named: NamedText): OwnWords {
  const [name, description] = [named(texts?.name), named(texts?.description)];
  return { ...(name && { name }), ...(description && { description }) };
}

export interface PlanView extends OwnWords {
  id: PlanId;
  family: PlanFamily;
  slot: Slot;
  currency: Currency;
  price: number;
  periodPrice: number;
  period: Period;
  introDays: number;
  /** Compared with the monthly plan for the same period. */
  saving: { percent: number; monthly: number } | null;
  listPrice: number | null;
  /** The built-in coupon, already deducted from the prices above; `full` is the price before it. */
  coupon: { full: number; percent: number } | null;
  renewal: string;
  /** The day of the e-mail before a paid intro ends; empty without an intro. */
  reminder: string;
  /** The lowest price per day of the plans beside it. */
  bestValue: boolean;
  preselected: boolean;
}

function savingOf({ slot, period, introDays, price }: Plan, monthly: number | undefined) {
  const months = monthsOfPeriod[period];
  if (slot !== 'main' || introDays !== 0 || months < 2 || monthly === undefined) return null;
  const percent = Math.round(100 - (price / (months * monthly)) * 100);
  return percent > 0 ? { percent, monthly } : null;
}

/** Visa asks for at least seven days before the end of a trial, Mastercard for three to seven. */
export const trialNoticeDays = 7;

/** Texts for the day of the first renewal, and of the reminder before an intro ends. */
export interface RenewalDays {
  renewal: (cycle: Period | number) => string;
  reminder: (introDays: number) => string;
}

/** A day before a paid intro ends, a week before a trial ends; a trial of a week or less is told at the purchase only. */
function reminderOf(plan: Plan, { reminder }: RenewalDays): string {
  const { introDays } = plan;
  if (!isFreeTrial(plan)) return introDays === 0 ? '' : reminder(introDays);
  return introDays > trialNoticeDays ? reminder(introDays - trialNoticeDays + 1) : '';
}

/** @param monthly price of the monthly plan that is sold beside it, minor units */
export function planView(plan: Plan, days: RenewalDays, monthly?: number): PlanView {
  const { period, introDays } = plan;
  const off = ownDiscount(plan);
  return {
    id: plan.id,
    family: plan.family,
    slot: plan.slot,
    currency: plan.currency,
    price: plan.price - off,
    periodPrice: plan.today - off,
    period,
    introDays,
    saving: savingOf(plan, monthly),
    listPrice: plan.list ?? (plan.coupon ? plan.price : null),
    coupon: plan.coupon ? { full: plan.price, percent: plan.coupon.percent } : null,
    renewal: period === 'once' ? '' : days.renewal(introDays || period),
    reminder: reminderOf(plan, days),
    bestValue: false,
    preselected: false,
  };
}
