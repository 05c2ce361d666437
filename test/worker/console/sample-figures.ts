import { type Count, renewalReason } from '../../../worker/analytics/rules/count.ts';
import { amountText, percentText } from '../../../worker/console/parts/figure-text.ts';
import { rowsOf } from './page-text.ts';

/** The cards and charts of the overview by name, and its revenue by currency. */
export function figuresIn(html: string): Record<string, string> {
  const cards = html.matchAll(/<dt>([^<]*)<\/dt><dd><strong>([^<]*)<\/strong>/g);
  const table = html.slice(html.indexOf('aria-label="Revenue by currency"'));
  const currencies = rowsOf(table.split('</table>')[0] ?? '').flatMap((row) => {
    const [currency = '', fresh = '', renewals = '', total = ''] = row.split(' ');
    const isRow = /^[A-Z]{3}$/.test(currency);
    const named = { New: fresh, Renewal: renewals };
    const parts = Object.entries(named).map(([name, value]) => [
      `${name} revenue, ${currency}`,
      value,
    ]);
    return isRow ? [[`Revenue, ${currency}`, total], ...parts] : [];
  });
  return {
    ...Object.fromEntries([...cards].map(([, name = '', value = '']) => [name, value])),
    ...Object.fromEntries(currencies),
  };
}

export const whole = new Intl.NumberFormat('en');
export const is =
  (...steps: string[]) =>
  ({ step }: Count) =>
    steps.includes(step);

export const isMoney = is('capture', 'refund', 'dispute');
export const isRenewal = (one: Count) => isMoney(one) && one.payment?.reason === renewalReason;
/** The only money of a revenue per visitor. */
export const isNew = (one: Count) => isMoney(one) && !isRenewal(one);

/** Captures minus refunds and disputes, in minor units by currency. */
export function moneyOf(counts: readonly Count[]): Map<string, number> {
  const money = new Map<string, number>();
  for (const { step, payment } of counts) {
    const { currency = '', amount = 0 } = payment ?? {};
    money.set(currency, (money.get(currency) ?? 0) + (step === 'capture' ? amount : -amount));
  }
  return money;
}

/** Shares of payments and of attempts. */
const ratesOf = (counts: readonly Count[]) => {
  const count = (...steps: string[]) => counts.filter(is(...steps)).length;
  return {
    Refunds: percentText(count('refund'), count('capture')),
    Declines: percentText(count('declined'), count('purchase', 'declined')),
  };
};

export function expectedFigures(counts: readonly Count[]): Record<string, string> {
  const count = (test: (one: Count) => boolean) => whole.format(counts.filter(test).length);
  const money = moneyOf(counts.filter(isMoney));
  const [fresh, renewed] = [moneyOf(counts.filter(isNew)), moneyOf(counts.filter(isRenewal))];
  const revenue = [...money].sort(([a], [b]) => (a < b ? -1 : 1));
  const all = Math.round((money.get('USD') ?? 0) + 1.1 * (money.get('EUR') ?? 0));
  const visitors = counts.filter(is('exposure')).length;
  const total = money.size > 1 ? all : (revenue[0]?.[1] ?? 0);
  const currency = money.size > 1 ? 'USD' : (revenue[0]?.[0] ?? 'USD');
  return {
    ...(visitors > 0
      ? { 'Period’s revenue per visitor': amountText(total / visitors, currency) }
      : {}),
    Visitors: count(is('exposure')),
    'Sign-ups': count(is('sign_up')),
    Purchases: count(({ step, payment }) => step === 'purchase' && payment?.slot === 'main'),
    ...(money.size > 0 ? { [`Net revenue, ${currency}`]: amountText(total, currency) } : {}),
    ...(money.size > 1 || renewed.size > 0
      ? Object.fromEntries(
          revenue.flatMap(([currency, minor]) => [
            [`Revenue, ${currency}`, amountText(minor, currency)],
            [`New revenue, ${currency}`, amountText(fresh.get(currency) ?? 0, currency)],
            [`Renewal revenue, ${currency}`, amountText(renewed.get(currency) ?? 0, currency)],
          ]),
        )
      : {}),
    ...ratesOf(counts),
  };
}
