import { interpolate } from '../../locales/format/interpolate.ts';
import { money } from '../../locales/format/money.ts';
import { latin, percentOf } from '../../locales/format/numerals.ts';
import { pluralOf } from '../../locales/format/plural.ts';
import type { IslandText } from '../../locales/index.ts';
import type { SubscriptionView } from '../../worker/payments/rules/purchase-view.ts';

export type PurchaseText = IslandText['my-account'];

interface DayStyle {
  /** The browser's own when left out. */
  timeZone?: string;
  /** In full when left out. */
  dateStyle?: 'long' | 'medium';
}

/** A day, which no line breaks in two. @param at ms since 1970 */
export function dayText(at: number, language: string, style: DayStyle = {}): string {
  const { timeZone, dateStyle = 'long' } = style;
  const day = new Intl.DateTimeFormat(language, { ...latin, dateStyle, timeZone }).format(at);
  return day.replace(/\s/g, '\u00a0');
}

/** What something bought is called. */
function holdingName(text: PurchaseText, held: SubscriptionView, language: string): string {
  if (held.slot !== 'main') return text[held.slot];
  if (held.trialDays) return pluralOf(text, 'intro', held.trialDays, language);
  return held.period === 'quarter' ? text.quarterly : text.monthly;
}

/** What an intro's name counts. */
export const purchaseTitle = (
  text: PurchaseText,
  held: SubscriptionView,
  language: string,
): string => interpolate(holdingName(text, held, language), { count: held.trialDays });

/** What each renewal costs, with its period; empty for what is paid once. */
export function priceText(
  text: PurchaseText,
  { price, currency, period }: SubscriptionView,
  language: string,
): string {
  if (period === 'once') return '';
  const words = period === 'quarter' ? text.per_quarter : text.per_month;
  return interpolate(words, { sum: money(price, currency, language) });
}

/** How the price came about; empty without a coupon. */
function couponText(
  text: PurchaseText,
  { coupon, currency }: SubscriptionView,
  language: string,
): string[] {
  if (!coupon) return [];
  const full = money(coupon.full, currency, language);
  return [interpolate(text.less, { full, percent: percentOf(coupon.percent, language) })];
}

/** What cancelling means for something bought, in plain words. */
export function cancelText(text: PurchaseText, held: SubscriptionView, language: string): string {
  if (held.paidUntil === null) return text.cancel_now;
  return interpolate(text.cancel_what, { date: dayText(held.paidUntil, language) });
}

/** Whether something is neither over nor taken back. */
export const isLive = ({ state }: SubscriptionView): boolean =>
  state !== 'ended' && state !== 'withdrawn';

const sumOf = (sums: readonly number[]) => sums.reduce((total, sum) => total + sum, 0);

/** All that goes back by law with something: a plan takes along what was added to it. */
export function withdrawalText(
  held: readonly SubscriptionView[],
  one: SubscriptionView,
  language: string,
): string {
  const extras = held.filter((each) => each.slot !== 'main' && isLive(each));
  const going = one.slot === 'main' ? [one, ...extras] : [one];
  return money(sumOf(going.map(({ withdraw }) => withdraw?.back ?? 0)), one.currency, language);
}

/** All that goes back under the guarantee. @param currency of the plan */
export const claimText = (
  held: readonly SubscriptionView[],
  { currency }: Pick<SubscriptionView, 'currency'>,
  language: string,
): string => money(sumOf(held.map(({ guarantee }) => guarantee)), currency, language);

type Fact = [word: string, said: string[]];

/** Word and sentence of each fact about something bought. */
export function purchaseFacts(
  text: PurchaseText,
  held: SubscriptionView,
  language: string,
): Fact[] {
  const { period, state, next, paidUntil, usableUntil, payments, currency } = held;
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
  const prices = [priceText(text, held, language), ...couponText(text, held, language)];
  const runs = paidUntil !== null && (state === 'ends' || state === 'past_due');
  return [
    ...(next ? [[text.price, prices] as Fact] : []),
    ...(next ? [[text.next, [dayText(next.at, language)]] as Fact] : []),
    ...(runs ? [[text.until, [dayText(paidUntil, language)]] as Fact] : []),
    ...(usableUntil ? [[text.usable, [dayText(usableUntil, language)]] as Fact] : []),
    [text.paid, moved],
  ];
}
