import { interpolate } from '../../locales/format/interpolate.ts';
import { money } from '../../locales/format/money.ts';
import { latin, percentOf } from '../../locales/format/numerals.ts';
import { pluralOf } from '../../locales/format/plural.ts';
import type { IslandText } from '../../locales/index.ts';
import type { SubscriptionView } from '../../worker/payments/rules/purchase-view.ts';

interface DayStyle {
  /** The browser's time zone when omitted. */
  timeZone?: string;
  /** `long` when omitted. */
  dateStyle?: 'long' | 'medium';
}

type Fact = [word: string, said: string[]];

export const isLive = ({ state }: SubscriptionView): boolean =>
  state !== 'ended' && state !== 'withdrawn';

const total = (sums: readonly number[]) => sums.reduce((all, sum) => all + sum, 0);

/** What the account pages say about purchases, in one language. */
export function purchaseWords(text: IslandText['my-account'], language: string) {
  const sum = (minor: number, { currency }: Pick<SubscriptionView, 'currency'>) =>
    money(minor, currency, language);

  /** A date with no-break spaces. @param at ms since 1970 */
  const day = (at: number, { timeZone, dateStyle = 'long' }: DayStyle = {}): string =>
    new Intl.DateTimeFormat(language, { ...latin, dateStyle, timeZone })
      .format(at)
      .replace(/\s/g, '\u00a0');

  const name = ({ slot, trialDays, period }: SubscriptionView): string => {
    if (slot !== 'main') return text[slot];
    if (trialDays) return pluralOf(text, 'intro', trialDays, language);
    return period === 'quarter' ? text.quarterly : text.monthly;
  };
  const title = (subscription: SubscriptionView): string =>
    interpolate(name(subscription), { count: subscription.trialDays });

  /** The price of each renewal with its period; empty for a one-time purchase. */
  const price = (subscription: SubscriptionView): string => {
    if (subscription.period === 'once') return '';
    const words = subscription.period === 'quarter' ? text.per_quarter : text.per_month;
    return interpolate(words, { sum: sum(subscription.price, subscription) });
  };

  const cancellation = ({ paidUntil }: SubscriptionView): string =>
    paidUntil === null ? text.cancel_now : interpolate(text.cancel_what, { date: day(paidUntil) });

  /** What a withdrawal pays back; that of a plan includes its add-ons. */
  const withdrawalSum = (all: readonly SubscriptionView[], chosen: SubscriptionView): string => {
    const extras = all.filter((each) => each.slot !== 'main' && isLive(each));
    const going = chosen.slot === 'main' ? [chosen, ...extras] : [chosen];
    return sum(total(going.map(({ withdraw }) => withdraw?.back ?? 0)), chosen);
  };

  const guaranteeSum = (refunded: readonly SubscriptionView[], plan: SubscriptionView): string =>
    sum(total(refunded.map(({ guarantee }) => guarantee)), plan);

  const facts = (subscription: SubscriptionView): Fact[] => {
    const { period, state, next, paidUntil, usableUntil, payments, coupon } = subscription;
    const moved = payments.map(({ kind, amount, at }) =>
      interpolate(kind === 'capture' ? text.payment : text.back, {
        sum: sum(amount, subscription),
        date: day(at, { dateStyle: 'medium' }),
      }),
    );
    const [first] = payments;
    if (period === 'once') {
      return [...(first ? [[text.bought, [day(first.at)]] as Fact] : []), [text.paid, moved]];
    }
    const discount = coupon && {
      full: sum(coupon.full, subscription),
      percent: percentOf(coupon.percent, language),
    };
    const prices = [price(subscription), ...(discount ? [interpolate(text.less, discount)] : [])];
    const runs = paidUntil !== null && (state === 'ends' || state === 'past_due');
    return [
      ...(next ? [[text.price, prices] as Fact, [text.next, [day(next.at)]] as Fact] : []),
      ...(runs ? [[text.until, [day(paidUntil)]] as Fact] : []),
      ...(usableUntil ? [[text.usable, [day(usableUntil)]] as Fact] : []),
      [text.paid, moved],
    ];
  };

  return { text, sum, day, title, price, cancellation, withdrawalSum, guaranteeSum, facts };
}

export type PurchaseWords = ReturnType<typeof purchaseWords>;
