/** ISO 4217 without minor units, which Stripe calls zero-decimal: docs.stripe.com/currencies#zero-decimal */
const withoutMinorUnits: ReadonlySet<string> = new Set(['JPY']);

export const minorDigits = (currency: string): 0 | 2 => (withoutMinorUnits.has(currency) ? 0 : 2);

/** Minor units in one unit of the currency. */
export const minorPerUnit = (currency: string): number => 10 ** minorDigits(currency);

/** Minor units as a decimal string: 3999 USD → `39.99`, 3999 JPY → `3999`. */
export const decimal = (minor: number, currency: string): string =>
  (minor / minorPerUnit(currency)).toFixed(minorDigits(currency));
