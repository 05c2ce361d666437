import { type Minor, minor, subtract } from '../types.ts';
import type { Currency } from './markets.ts';

/** One slot has at most one active purchase. */
export type Slot = 'main' | 'upsell' | 'guide';

type Period = 'month' | 'quarter' | 'once';

interface Family {
  slot: Slot;
  /** This plan is sold only with an active purchase in that slot, and ends with it. */
  dependsOn: Slot | null;
  /** Name at the providers and on their receipts; the same in every language. */
  productId: string;
  period: Period;
  /** Each renewal, before the built-in coupon. */
  price: Minor;
  /** Today's charge, before coupons. */
  today: Minor;
  trialDays: 0 | 3 | 5 | 7;
  /** The struck-out price. */
  list?: Minor;
  coupon?: BuiltInCoupon;
}

interface BuiltInCoupon {
  code: string;
  percent: number;
}

/** Purchases store the code, so another percentage needs another code. */
const upsellCoupon: BuiltInCoupon = { code: 'UPSELL30', percent: 30 };

const plan = (
  productId: string,
  period: Period,
  price: number,
  today = price,
  trialDays: Family['trialDays'] = 0,
): Family => ({
  slot: 'main',
  dependsOn: null,
  productId,
  period,
  price: minor(price),
  today: minor(today),
  trialDays,
});
const upsell = (period: Period, price: number, coupon?: BuiltInCoupon): Family => ({
  slot: 'upsell',
  dependsOn: 'main',
  productId: `Anonymous mode and private chat, ${period === 'month' ? 'monthly' : 'quarterly'}`,
  period,
  price: minor(price),
  today: minor(price),
  trialDays: 0,
  ...(coupon && { coupon }),
});
const guide = (price: number, list: number): Family => ({
  slot: 'guide',
  dependsOn: 'main',
  productId: 'Family safety toolkit',
  period: 'once',
  price: minor(price),
  today: minor(price),
  trialDays: 0,
  list: minor(list),
});

const families = {
  monthly: plan('Monthly plan', 'month', 3999),
  quarterly: plan('Quarterly plan', 'quarter', 5999),
  monthly_7d: plan('Monthly plan, 7-day intro', 'month', 3999, 699, 7),
  monthly_5d: plan('Monthly plan, 5-day intro', 'month', 3999, 499, 5),
  monthly_3d: plan('Monthly plan, 3-day intro', 'month', 3999, 299, 3),
  upsell_monthly_999: upsell('month', 999, upsellCoupon),
  upsell_monthly_799: upsell('month', 799),
  upsell_monthly_599: upsell('month', 599),
  upsell_quarterly_999: upsell('quarter', 999, upsellCoupon),
  upsell_quarterly_799: upsell('quarter', 799),
  upsell_quarterly_599: upsell('quarter', 599),
  guide_899: guide(899, 2899),
  guide_1799: guide(1799, 3799),
} as const satisfies Record<string, Family>;

export type PlanFamily = keyof typeof families;
export type PlanId = `${PlanFamily}_${Lowercase<Currency>}`;

export interface Plan extends Family, PlanWords {
  id: PlanId;
  family: PlanFamily;
  currency: Currency;
  currencySymbol: '$' | '€';
  /** What today's payment covers; null for a one-time purchase. */
  duration: { count: number; unit: 'day' | 'month' } | null;
}

interface PlanWords {
  name:
    | 'plans.monthly'
    | 'plans.quarterly'
    | 'plans.intro'
    | 'upsell.an_private.title'
    | 'upsell.guide.title';
  description:
    | `plans.line.${'month' | 'quarter' | 'intro'}`
    | `upsell.price.${'month' | 'quarter'}`
    | 'upsell.once';
  disclaimer: 'summary.until' | 'checkout.cancel' | 'summary.once';
}

function wordsFor({ slot, period, trialDays }: Family): PlanWords {
  const cycle = period === 'quarter' ? 'quarter' : 'month';
  const name = period === 'quarter' ? 'plans.quarterly' : 'plans.monthly';
  const intro = trialDays > 0;
  const words: Record<Slot, PlanWords> = {
    main: {
      name: intro ? 'plans.intro' : name,
      description: `plans.line.${intro ? 'intro' : cycle}`,
      disclaimer: 'summary.until',
    },
    upsell: {
      name: 'upsell.an_private.title',
      description: `upsell.price.${cycle}`,
      disclaimer: 'checkout.cancel',
    },
    guide: {
      name: 'upsell.guide.title',
      description: 'upsell.once',
      disclaimer: 'summary.once',
    },
  };
  return words[slot];
}

function durationOf({ period, trialDays }: Family): Plan['duration'] {
  if (trialDays > 0) return { count: trialDays, unit: 'day' };
  return period === 'once' ? null : { count: period === 'month' ? 1 : 3, unit: 'month' };
}

export const planFamilies = Object.keys(families) as PlanFamily[];

const catalogue = new Map<string, Plan>(
  planFamilies.flatMap((family) =>
    (['USD', 'EUR'] as const).map((currency): [string, Plan] => {
      const id = `${family}_${currency.toLowerCase() as Lowercase<Currency>}` as const;
      const own: Family = families[family];
      const currencySymbol = currency === 'USD' ? '$' : '€';
      const facts = { id, family, currency, currencySymbol, duration: durationOf(own) } as const;
      return [id, { ...own, ...wordsFor(own), ...facts }];
    }),
  ),
);

export function planById(id: string): Plan | undefined {
  return catalogue.get(id);
}

export function planOf(family: PlanFamily, currency: Currency): Plan {
  const found = catalogue.get(`${family}_${currency.toLowerCase()}`);
  if (!found) throw new RangeError(`no plan ${family} in ${currency}`);
  return found;
}

/** Minor units as the API's decimal string: 3999 → `39.99`. */
export function decimal(amount: number): string {
  return (amount / 100).toFixed(2);
}

type Couponed = Pick<Plan, 'price' | 'coupon'>;

export const ownDiscount = ({ price, coupon }: Couponed): Minor =>
  minor(coupon ? Math.round((price * coupon.percent) / 100) : 0);

/** Purchases from before the built-in coupon do not have it. */
export const hasOwnCoupon = ({ coupon }: Couponed, code: string | null): boolean =>
  coupon !== undefined && coupon.code === code;

export const renewalPrice = (row: Couponed, code: string | null): Minor =>
  hasOwnCoupon(row, code) ? subtract(row.price, ownDiscount(row)) : row.price;

/** A month counts as 30 days, so that prices per day compare. */
const periodDays: Record<Period, number> = { month: 30, quarter: 90, once: 1 };

/** Days that today's charge covers. */
export const coveredDays = ({ trialDays, period }: Pick<PlanView, 'trialDays' | 'period'>) =>
  trialDays || periodDays[period];

export interface PlanView {
  id: PlanId;
  family: PlanFamily;
  slot: Slot;
  currency: Currency;
  price: number;
  periodPrice: number;
  period: Period;
  trialDays: number;
  /** Today's charge for each day that it covers. */
  perDay: number;
  /** Compared with paying the monthly plan for as long. */
  saving: { percent: number; monthly: number } | null;
  listPrice: number | null;
  /** The built-in coupon, already deducted above; `full` is the price before it. */
  coupon: { full: number; percent: number } | null;
  renewal: string;
  /** The day of the e-mail before a paid intro ends; empty without an intro. */
  reminder: string;
  /** The lowest price per day of the plans beside it. */
  bestValue: boolean;
  /** Selected until the visitor chooses. */
  preselected: boolean;
}

/** Days of first renewals, and of the reminder before each intro's. */
export type Renewals = Record<
  'month' | 'quarter' | 3 | 5 | 7 | 'reminder3' | 'reminder5' | 'reminder7',
  string
>;

export function planView(row: Plan, renewals: Renewals): PlanView {
  const monthly = families.monthly.price;
  const off = ownDiscount(row);
  const today = row.today - off;
  return {
    id: row.id,
    family: row.family,
    slot: row.slot,
    currency: row.currency,
    price: row.price - off,
    periodPrice: today,
    period: row.period,
    trialDays: row.trialDays,
    perDay: Math.round(today / coveredDays(row)),
    saving:
      row.family === 'quarterly'
        ? { percent: Math.round(100 - (row.price / (3 * monthly)) * 100), monthly }
        : null,
    listPrice: row.list ?? (row.coupon ? row.price : null),
    coupon: row.coupon ? { full: row.price, percent: row.coupon.percent } : null,
    renewal: row.period === 'once' ? '' : renewals[row.trialDays || row.period],
    reminder: row.trialDays === 0 ? '' : renewals[`reminder${row.trialDays}`],
    bestValue: false,
    preselected: false,
  };
}
