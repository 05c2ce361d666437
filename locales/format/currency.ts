/** ISO 4217. Strings, because pages pay for each byte. Stripe counts alike: docs.stripe.com/currencies#zero-decimal */
export const minorDigits = (currency: string): 0 | 2 | 3 =>
  'CLP JPY KRW VND'.includes(currency) ? 0 : 'BHD JOD KWD'.includes(currency) ? 3 : 2;

/** Minor units in one unit of the currency. */
export const minorPerUnit = (currency: string): number => 10 ** minorDigits(currency);

/** Minor units as a decimal string: 3999 USD → `39.99`, 3999 JPY → `3999`. */
export const decimal = (minor: number, currency: string): string =>
  (minor / minorPerUnit(currency)).toFixed(minorDigits(currency));
