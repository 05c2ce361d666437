import { typedKeys } from '../../platform/keys.ts';
import { type Minor, minor, subtract } from '../../platform/types.ts';
import { families } from './families.ts';
import type { Family, FamilyRow, Period, Slot } from './family.ts';
import { type Currency, currencies } from './markets.ts';
import { priceIn } from './prices.ts';

export type PlanFamily = keyof typeof families;
export type PlanId = `${PlanFamily}_${Lowercase<Currency>}`;

export interface Plan extends Family<Minor>, PlanWords {
  id: PlanId;
  family: PlanFamily;
  currency: Currency;
  currencySymbol: string;
  /** The period that today's payment covers; null for a one-time purchase. */
  duration: { count: number; unit: 'day' | 'month' } | null;
}

export const monthsOfPeriod = { month: 1, quarter: 3, once: 0 } as const;

type Shape = Pick<FamilyRow, 'slot' | 'period' | 'introDays'>;

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

function wordsFor({ slot, period, introDays }: Shape): PlanWords {
  const cycle = period === 'quarter' ? 'quarter' : 'month';
  const name = period === 'quarter' ? 'plans.quarterly' : 'plans.monthly';
  const intro = introDays !== 0;
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

function durationOf({ period, introDays }: Shape): Plan['duration'] {
  if (introDays !== 0) return { count: introDays, unit: 'day' };
  return period === 'once' ? null : { count: period === 'month' ? 1 : 3, unit: 'month' };
}

export const planFamilies: readonly PlanFamily[] = typedKeys(families);

const symbols: Record<Currency, string> = {
  USD: '$',
  EUR: '€',
  GBP: '£',
  CAD: 'CA$',
  AUD: 'A$',
  JPY: '¥',
  BRL: 'R$',
  MXN: 'MX$',
  PLN: 'zł',
  SEK: 'kr',
  CHF: 'CHF',
};

function planIn(family: PlanFamily, currency: Currency): Plan {
  const { price, today, list, ...own }: FamilyRow = families[family];
  return {
    ...own,
    ...wordsFor(families[family]),
    id: `${family}_${currency.toLowerCase() as Lowercase<Currency>}`,
    family,
    currency,
    currencySymbol: symbols[currency],
    duration: durationOf(families[family]),
    price: priceIn(price, currency),
    today: priceIn(today, currency),
    ...(list && { list: priceIn(list, currency) }),
  };
}

const catalog = new Map<string, Plan>(
  planFamilies.flatMap((family) =>
    currencies.map((currency): [string, Plan] => {
      const plan = planIn(family, currency);
      return [plan.id, plan];
    }),
  ),
);

export function planById(id: string): Plan | undefined {
  return catalog.get(id);
}

export function planOf(family: PlanFamily, currency: Currency): Plan {
  const found = catalog.get(`${family}_${currency.toLowerCase()}`);
  if (!found) throw new RangeError(`no plan ${family} in ${currency}`);
  return found;
}

export const plansIn = (offered: readonly Currency[]): Plan[] =>
  planFamilies.flatMap((family) => offered.map((currency) => planOf(family, currency)));

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

export const coveredDays = ({ introDays, period }: Pick<PlanView, 'introDays' | 'period'>) =>
  introDays || periodDays[period];

export interface PlanView {
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

/** Days of first renewals, and of the reminder before each intro's. */
export type Renewals = Record<
  'month' | 'quarter' | 3 | 5 | 7 | 'reminder3' | 'reminder5' | 'reminder7',
  string
>;

export function planView(row: Plan, renewals: Renewals): PlanView {
  const monthly = planOf('monthly', row.currency).price;
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
    introDays: row.introDays,
    saving:
      row.family === 'quarterly'
        ? { percent: Math.round(100 - (row.price / (3 * monthly)) * 100), monthly }
        : null,
    listPrice: row.list ?? (row.coupon ? row.price : null),
    coupon: row.coupon ? { full: row.price, percent: row.coupon.percent } : null,
    renewal: row.period === 'once' ? '' : renewals[row.introDays || row.period],
    reminder: row.introDays === 0 ? '' : renewals[`reminder${row.introDays}`],
    bestValue: false,
    preselected: false,
  };
}
