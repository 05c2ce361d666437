import { interpolate } from '../../locales/format/interpolate.ts';
import { money } from '../../locales/format/money.ts';
import { latin, percentOf } from '../../locales/format/numerals.ts';
import { pluralOf } from '../../locales/format/plural.ts';
import type { IslandText } from '../../locales/index.ts';
import type { SubscriptionView } from '../../worker/payments/rules/purchase-view.ts';

export type PurchaseText = IslandText['my-account'];

interface DayStyle {
  /** The browser's time zone when omitted. */
  timeZone?: string;
  /** `long` when omitted. */
  dateStyle?: 'long' | 'medium';
}

/** A date with no-break spaces. @param at ms since 1970 */
export function dayText(at: number, language: string, style: DayStyle = {}): string {
  const { timeZone, dateStyle = 'long' } = style;
  const day = new Intl.DateTimeFormat(language, { ...latin, dateStyle, timeZone }).format(at);
  return day.replace(/\s/g, '\u00a0');
}

function subscriptionName(
  text: PurchaseText,
  subscription: SubscriptionView,
  language: string,
): string {
  if (subscription.slot !== 'main') return text[subscription.slot];
  if (subscription.trialDays) return pluralOf(text, 'intro', subscription.trialDays, language);
  return subscription.period === 'quarter' ? text.quarterly : text.monthly;
}

export const purchaseTitle = (
  text: PurchaseText,
  subscription: SubscriptionView,
  language: string,
): string =>
  interpolate(subscriptionName(text, subscription, language), { count: subscription.trialDays });

/** The price of each renewal with its period; empty for a one-time purchase. */
export function priceText(
  text: PurchaseText,
  { price, currency, period }: SubscriptionView,
  language: string,
): string {
  if (period === 'once') return '';
  const words = period === 'quarter' ? text.per_quarter : text.per_month;
  return interpolate(words, { sum: money(price, currency, language) });
}

/** The list price and the coupon's percentage; empty without a coupon. */
function couponText(
  text: PurchaseText,
  { coupon, currency }: SubscriptionView,
  language: string,
): string[] {
  if (!coupon) return [];
  const full = money(coupon.full, currency, language);
  return [interpolate(text.less, { full, percent: percentOf(coupon.percent, language) })];
}

export function cancelText(
  text: PurchaseText,
  subscription: SubscriptionView,
  language: string,
): string {
  if (subscription.paidUntil === null) return text.cancel_now;
  return interpolate(text.cancel_what, { date: dayText(subscription.paidUntil, language) });
}

export const isLive = ({ state }: SubscriptionView): boolean =>
  state !== 'ended' && state !== 'withdrawn';

const sumOf = (sums: readonly number[]) => sums.reduce((total, sum) => total + sum, 0);

export function withdrawalText(
  subscriptions: readonly SubscriptionView[],
  one: SubscriptionView,
  language: string,
): string {
  const extras = subscriptions.filter((each) => each.slot !== 'main' && isLive(each));
  const going = one.slot === 'main' ? [one, ...extras] : [one];
  return money(sumOf(going.map(({ withdraw }) => withdraw?.back ?? 0)), one.currency, language);
}

export const claimText = (
  subscriptions: readonly SubscriptionView[],
  { currency }: Pick<SubscriptionView, 'currency'>,
  language: string,
): string => money(sumOf(subscriptions.map(({ guarantee }) => guarantee)), currency, language);

type Fact = [word: string, said: string[]];

export function purchaseFacts(
  text: PurchaseText,
  subscription: SubscriptionView,
  language: string,
): Fact[] {
  const { period, state, next, paidUntil, usableUntil, payments, currency } = subscription;
  const moved = payments.map(({ kind, amount, at }) =>
    interpolate(kind === 'capture' ? text.payment : text.back, {
      sum: money(amount, currency, language),
      date: dayText(at, language, { dateStyle: 'medium' }),
    }),
  );
  const [first] = payments;
  if (period === 'once') {
    const bought: Fact[] = first ? [[text.bought, [dayText(first.at, language)]]] : [];
    return [...bought, [text.paid, moved]];
  }
  const prices = [
    priceText(text, subscription, language),
    ...couponText(text, subscription, language),
  ];
  const runs = paidUntil !== null && (state === 'ends' || state === 'past_due');
  return [
    ...(next ? [[text.price, prices] as Fact] : []),
    ...(next ? [[text.next, [dayText(next.at, language)]] as Fact] : []),
    ...(runs ? [[text.until, [dayText(paidUntil, language)]] as Fact] : []),
    ...(usableUntil ? [[text.usable, [dayText(usableUntil, language)]] as Fact] : []),
    [text.paid, moved],
  ];
}
