import { interpolate } from '../../locales/format/interpolate.ts';
import { money } from '../../locales/format/money.ts';
import { latin, percentOf } from '../../locales/format/numerals.ts';
import type { IslandText } from '../../locales/index.ts';
import type { Market } from '../../worker/catalog/rules/markets.ts';
import type { ReceiptView } from '../../worker/payments/notices/receipt.ts';
import type {
  PlanRef,
  SubscriptionView,
} from '../../worker/payments/subscriptions/rules/purchase-view.ts';
import type { AccountText } from './cancel-text.ts';

interface DayStyle {
  /** Defaults to the browser's time zone. */
  timeZone?: string;
  /** Defaults to `long`; `short` leaves out the year. */
  dateStyle?: keyof typeof dateParts;
}

/** Arabic's own medium style has the month as a number. */
const dateParts = {
  long: { dateStyle: 'long' },
  medium: { day: 'numeric', month: 'short', year: 'numeric' },
  short: { day: 'numeric', month: 'long' },
} as const;

export type Fact = [label: string, lines: string[]];

type Named = Pick<SubscriptionView, 'slot' | 'name' | 'period'>;

export const isLive = ({ state }: SubscriptionView): boolean =>
  state !== 'ended' && state !== 'withdrawn';

const total = (sums: readonly number[]) => sums.reduce((all, sum) => all + sum, 0);

export const planNameOf = (text: AccountText, { name, period }: Pick<PlanRef, 'name' | 'period'>) =>
  name ?? (period === 'once' ? text.state_once : text.plan[period]);

function formatsOf(language: string) {
  const sum = (minor: number, { currency }: Pick<SubscriptionView, 'currency'>) =>
    money(minor, currency, language);

  /** A date with no-break spaces. @param at ms since 1970 */
  const day = (at: number, { timeZone, dateStyle = 'long' }: DayStyle = {}): string =>
    new Intl.DateTimeFormat(language, { ...latin, ...dateParts[dateStyle], timeZone })
      .format(at)
      .replace(/\s/g, '\u00a0');

  /** A period without what its dates have in common. @param from, to ms since 1970 */
  const days = (from: number, to: number): string =>
    new Intl.DateTimeFormat(language, {
      ...latin,
      day: 'numeric',
      month: 'short',
      year: 'numeric',
    }).formatRange(from, to);

  return { sum, day, days };
}

type Formats = ReturnType<typeof formatsOf>;

function subscriptionWords(text: AccountText, { sum, day }: Formats) {
  const title = ({ slot, ...plan }: Named): string =>
    slot === 'main' ? planNameOf(text, plan) : (plan.name ?? text[slot]);

  const stateOf = ({ state, period, isProvisional, waitsForMoney }: SubscriptionView): string => {
    if (isProvisional && state === 'active')
      return waitsForMoney ? text.state_waiting : text.state_provisional;
    if (isProvisional && state === 'ended') return text.state_unpaid;
    return period === 'once' && state === 'active' ? text.state_once : text[`state_${state}`];
  };

  /** The price of each renewal with its period; empty for a one-time purchase. */
  const price = (subscription: Pick<SubscriptionView, 'period' | 'price' | 'currency'>): string => {
    if (subscription.period === 'once') return '';
    const every = text.every[subscription.period];
    return interpolate(text.per, { every, sum: sum(subscription.price, subscription) });
  };

  const cancellation = ({ paidUntil }: SubscriptionView): string =>
    interpolate(text.cancel_what, { date: day(paidUntil ?? 0) });

  return { title, stateOf, price, cancellation };
}

function refundSums({ sum }: Formats) {
  /** The refund of a withdrawal; that of a plan includes its extras. */
  const withdrawalSum = (all: readonly SubscriptionView[], chosen: SubscriptionView): string => {
    const extras = all.filter((each) => each.slot !== 'main' && isLive(each));
    const withdrawn = chosen.slot === 'main' ? [chosen, ...extras] : [chosen];
    return sum(total(withdrawn.map(({ withdraw }) => withdraw?.back ?? 0)), chosen);
  };

  const guaranteeSum = (refunded: readonly SubscriptionView[], plan: SubscriptionView): string =>
    sum(total(refunded.map(({ guarantee }) => guarantee)), plan);

  return { withdrawalSum, guaranteeSum };
}

type Price = ReturnType<typeof subscriptionWords>['price'];

function renewalWords(
  text: AccountText,
  language: string,
  { sum, day, days }: Formats,
  price: Price,
) {
  /** What each renewal costs, and the discount in it; empty for what does not renew. */
  const renewalLines = (subscription: SubscriptionView): string[] => {
    const { next, coupon } = subscription;
    if (!next) return [];
    const discount = coupon && {
      full: sum(coupon.full, subscription),
      percent: percentOf(coupon.percent, language),
    };
    return [price(subscription), ...(discount ? [interpolate(text.less, discount)] : [])];
  };

  const facts = (subscription: SubscriptionView): Fact[] => {
    const { period, state, next, paidUntil, until, boughtAt } = subscription;
    const { pausesUntil, nextPlan, later } = subscription;
    if (period === 'once') return boughtAt ? [[text.bought, [day(boughtAt)]]] : [];
    const runs = paidUntil !== null && (state === 'ending' || state === 'past_due');
    return [
      ...(next ? ([[text.next, [day(next.at)]]] satisfies Fact[]) : []),
      ...(pausesUntil
        ? ([[text.pause_fact, [days(paidUntil ?? 0, pausesUntil)]]] satisfies Fact[])
        : []),
      ...(nextPlan
        ? ([
            [text.next_plan, [planNameOf(text, nextPlan), price({ ...subscription, ...nextPlan })]],
          ] satisfies Fact[])
        : []),
      ...(next && later
        ? ([[day(later.at), [price({ ...subscription, ...later })]]] satisfies Fact[])
        : []),
      ...(runs ? ([[text.until, [day(paidUntil)]]] satisfies Fact[]) : []),
      ...(state === 'past_due' && until ? ([[text.usable, [day(until)]]] satisfies Fact[]) : []),
    ];
  };

  return { renewalLines, facts };
}

function receiptWords(text: AccountText, { sum, day }: Formats) {
  /** Net and tax of a payment or refund; empty where the tax is unknown. */
  const taxes = (
    { amount, tax }: Pick<ReceiptView, 'amount' | 'tax'>,
    receipt: Pick<ReceiptView, 'currency'>,
  ): string =>
    tax === null
      ? ''
      : interpolate(text.net_tax, { net: sum(amount - tax, receipt), tax: sum(tax, receipt) });

  /** The refunds of a payment, with their tax and id. */
  const refunds = (receipt: ReceiptView): [id: string, sentence: string, taxes: string][] =>
    receipt.refunds.map((refund) => [
      refund.id,
      interpolate(refund.disputed ? text.disputed : text.back, {
        sum: sum(refund.amount, receipt),
        date: day(refund.at, { dateStyle: 'medium' }),
      }),
      taxes(refund, receipt),
    ]);

  return { taxes, refunds };
}

/** Everything that the account's pages say of subscriptions, payments and receipts. */
export function purchaseWords(
  text: AccountText,
  language: string,
  orderButton: Market['orderButton'] = 'pay',
) {
  const formats = formatsOf(language);
  const words = subscriptionWords(text, formats);
  return {
    text,
    /** The label of a button that starts payments: where the law asks for it, it says so. */
    confirmPayments: orderButton === 'order' ? text.resume_confirm : text.confirm,
    ...formats,
    ...words,
    ...refundSums(formats),
    ...renewalWords(text, language, formats, words.price),
    ...receiptWords(text, formats),
  };
}

export type PurchaseWords = ReturnType<typeof purchaseWords>;

export type CancelWords = PurchaseWords & { text: IslandText['my-account'] };
