import { minorPerUnit } from '../../../locales/format/currency.ts';
import { recordOf } from '../../platform/keys.ts';
import { type Minor, minor } from '../../platform/types.ts';
import { type Currency, inMinor, multipleOf, smallestCharge } from './currencies.ts';

/** From an amount on, prices are the multiples of `step` less `less`: 39.99 is a multiple of 1 less 0.01. In units. */
interface Ending {
  from: number;
  step: number;
  less: number;
}

const endings = (...all: [from: number, step: number, less: number][]): Ending[] =>
  all.map(([from, step, less]) => ({ from, step, less }));

// 39.99; 29.90; 29,95 kr and 389 kr; 3,299; 14,990; 49,900; 649,000; ¥1,500; 11.900
const ninetyNine = endings([5, 1, 0.01], [1, 0.1, 0.01]);
const ninety = endings([5, 1, 0.1], [1, 0.1, 0]);
const kroner = endings([100, 10, 1], [5, 1, 0.05]);
const nine = endings([1000, 100, 1], [50, 10, 1], [5, 1, 0]);
const tens = endings([5000, 1000, 10], [500, 100, 10], [50, 10, 0]);
const hundreds = endings([5000, 1000, 100], [500, 100, 0], [50, 10, 0]);
const thousands = endings([50_000, 10_000, 1000], [5000, 1000, 0], [500, 100, 0]);
const round = endings([500, 100, 0], [50, 10, 0]);
const dinars = endings([5, 1, 0.1], [0.5, 0.1, 0]);

const endingsOf: Readonly<Record<Currency, readonly Ending[]>> = {
  ...recordOf(
    ['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'PLN', 'NZD', 'RON', 'TRY'] as const,
    () => ninetyNine,
  ),
  JPY: round,
  ...recordOf(['BRL', 'CHF', 'ILS', 'MYR', 'PEN', 'SGD'] as const, () => ninety),
  ...recordOf(
    ['MXN', 'AED', 'CNY', 'CZK', 'EGP', 'HKD', 'INR', 'PHP', 'QAR', 'SAR', 'THB', 'ZAR'] as const,
    () => nine,
  ),
  ...recordOf(['SEK', 'DKK', 'NOK'] as const, () => kroner),
  ...recordOf(['BHD', 'JOD', 'KWD'] as const, () => dinars),
  ...recordOf(['CLP', 'HUF', 'KZT', 'TWD'] as const, () => tens),
  ...recordOf(['COP', 'KRW', 'NGN', 'PKR', 'TZS'] as const, () => hundreds),
  ...recordOf(['IDR', 'VND'] as const, () => thousands),
};

/** @param isWhole for a price without cents, from 5 units on */
export function asPriced(exact: number, currency: Currency, isWhole = false): Minor {
  const [perUnit, multiple] = [minorPerUnit(currency), multipleOf(currency)];
  const ending = endingsOf[currency].find(({ from }) => exact >= from * perUnit);
  const step = ending ? inMinor(ending.step, currency) : multiple;
  const less = ending ? inMinor(ending.less, currency) : 0;
  const hasCents = !isWhole || exact < 5 * perUnit;
  const to = hasCents ? step : Math.max(step, perUnit);
  const off = hasCents || less % perUnit === 0 ? less : 0;
  const price = Math.round((exact + off) / to) * to - off;
  return minor(Math.max(price, smallestCharge(currency)));
}

/** Units of the reporting currency for one unit of another, as in `reporting` of `config.json`. */
interface Rates {
  currency: Currency;
  rates: Partial<Record<Currency, number>>;
}

const rateOf = ({ currency, rates }: Rates, of: Currency) => (of === currency ? 1 : rates[of]);

/** In minor units, not rounded; null without a rate. */
export function converted(
  amount: Minor,
  from: Currency,
  to: Currency,
  rates: Rates,
): number | null {
  const [own, other] = [rateOf(rates, from), rateOf(rates, to)];
  if (own === undefined || other === undefined) return null;
  return (amount / minorPerUnit(from)) * (own / other) * minorPerUnit(to);
}

/** A price for a person to confirm, which has cents if the other one does. @param amount minor units of `from` @returns null without a rate */
export function suggestedPrice(
  amount: Minor,
  from: Currency,
  to: Currency,
  rates: Rates,
): Minor | null {
  if (from === to) return amount;
  const exact = converted(amount, from, to, rates);
  if (exact === null) return null;
  const isWhole = minorPerUnit(from) > 1 && Number.isInteger(amount / minorPerUnit(from));
  return asPriced(exact, to, isWhole);
}
