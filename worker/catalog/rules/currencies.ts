import { minorDigits, minorPerUnit } from '../../../locales/format/currency.ts';
import { isOneOf, typedKeys } from '../../platform/keys.ts';
import { type Minor, minor } from '../../platform/types.ts';

interface Row {
  symbol: string;
  /** docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
  least?: number;
  /** The same page, where it is more than eight digits. */
  most?: number;
  /** A third decimal is 0 (#three-decimal there, archived on 2022-12-31); developer.paypal.com/reference/currency-codes. */
  multiple?: number;
  /** The first one names its market. All that are nowhere pay in USD. */
  countries: string;
}

/** Without ISK and UGX: Stripe counts them in hundredths, which they do not have (#special-cases). */
const table = {
  USD: { symbol: '$', least: 0.5, countries: 'US' },
  EUR: {
    symbol: '€',
    least: 0.5,
    countries:
      'DE AD AT AX BE BG BL CY EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI ' +
      'SK SM VA XK YT',
  },
  GBP: { symbol: '£', least: 0.3, countries: 'GB GG IM JE' },
  CAD: { symbol: 'CA$', least: 0.5, countries: 'CA' },
  AUD: { symbol: 'A$', least: 0.5, countries: 'AU CC CX KI NF NR TV' },
  JPY: { symbol: '¥', least: 50, countries: 'JP' },
  BRL: { symbol: 'R$', least: 0.5, countries: 'BR' },
  MXN: { symbol: 'MX$', least: 10, countries: 'MX' },
  PLN: { symbol: 'zł', least: 2, countries: 'PL' },
  SEK: { symbol: 'kr', least: 3, countries: 'SE' },
  CHF: { symbol: 'CHF', least: 0.5, countries: 'CH LI' },
  AED: { symbol: 'AED', least: 2, countries: 'AE' },
  BHD: { symbol: 'BHD', multiple: 0.01, countries: 'BH' },
  CLP: { symbol: 'CLP', countries: 'CL' },
  CNY: { symbol: 'CN¥', countries: 'CN' },
  COP: { symbol: 'COP', least: 0.5, most: 99_999_999.99, countries: 'CO' },
  CZK: { symbol: 'Kč', least: 15, countries: 'CZ' },
  DKK: { symbol: 'kr', least: 2.5, countries: 'DK FO GL' },
  EGP: { symbol: 'E£', countries: 'EG' },
  HKD: { symbol: 'HK$', least: 4, countries: 'HK' },
  HUF: { symbol: 'Ft', least: 175, multiple: 1, countries: 'HU' },
  IDR: { symbol: 'Rp', least: 0.5, most: 9_999_999_999.99, countries: 'ID' },
  ILS: { symbol: '₪', least: 0.5, countries: 'IL PS' },
  INR: { symbol: '₹', least: 0.5, most: 9_999_999.99, countries: 'IN' },
  JOD: { symbol: 'JOD', multiple: 0.01, countries: 'JO' },
  KRW: { symbol: '₩', least: 50, countries: 'KR' },
  KWD: { symbol: 'KWD', multiple: 0.01, countries: 'KW' },
  KZT: { symbol: '₸', countries: 'KZ' },
  MYR: { symbol: 'RM', least: 2, countries: 'MY' },
  NGN: { symbol: '₦', countries: 'NG' },
  NOK: { symbol: 'kr', least: 3, countries: 'NO SJ' },
  NZD: { symbol: 'NZ$', least: 0.5, countries: 'NZ CK NU PN TK' },
  PEN: { symbol: 'S/', countries: 'PE' },
  PHP: { symbol: '₱', least: 0.5, countries: 'PH' },
  PKR: { symbol: 'Rs', countries: 'PK' },
  QAR: { symbol: 'QAR', countries: 'QA' },
  RON: { symbol: 'lei', least: 2, countries: 'RO' },
  SAR: { symbol: 'SAR', countries: 'SA' },
  SGD: { symbol: 'S$', least: 0.5, countries: 'SG' },
  THB: { symbol: '฿', least: 10, countries: 'TH' },
  TRY: { symbol: '₺', countries: 'TR' },
  TWD: { symbol: 'NT$', multiple: 1, countries: 'TW' },
  TZS: { symbol: 'TSh', countries: 'TZ' },
  VND: { symbol: '₫', countries: 'VN' },
  ZAR: { symbol: 'R', least: 0.5, countries: 'ZA' },
} as const satisfies Record<string, Row>;

export type Currency = keyof typeof table;

export const currencies: readonly Currency[] = typedKeys(table);

export const isCurrency = isOneOf(currencies);

const rows: Record<Currency, Row> = table;

export const symbolOf = (currency: Currency): string => rows[currency].symbol;

export const countriesOf = (currency: Currency): string[] => rows[currency].countries.split(' ');

export const inMinor = (units: number, currency: Currency): Minor =>
  minor(Math.round(units * minorPerUnit(currency)));

export const smallestCharge = (currency: Currency): Minor =>
  minor(Math.max(inMinor(rows[currency].least ?? 0, currency), multipleOf(currency)));

export function largestCharge(currency: Currency): Minor {
  const { most } = rows[currency];
  return most === undefined ? minor(99_999_999) : inMinor(most, currency);
}

export const multipleOf = (currency: Currency): Minor =>
  inMinor(rows[currency].multiple ?? 1 / minorPerUnit(currency), currency);

export const isChargeable = (amount: number, currency: Currency): boolean =>
  Number.isInteger(amount) && amount % multipleOf(currency) === 0;

export const asChargeable = (amount: number, currency: Currency): Minor =>
  minor(Math.round(amount / multipleOf(currency)) * multipleOf(currency));

/** Stripe's credits of an upgrade may have a third decimal, which it does not charge. */
export const isProrated = (currency: Currency): boolean => minorDigits(currency) < 3;

/** developer.paypal.com/braintree/docs/reference/general/currencies has none with three decimals. */
export const isBraintreeCurrency = (currency: Currency): boolean => minorDigits(currency) < 3;
