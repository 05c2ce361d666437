/** Decimals of a currency: none, two or three. */
export const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
    .maximumFractionDigits ?? 2;

/** @param minor units of the currency */
export const amountText = (minor: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(
    minor / 10 ** decimalsOf(currency),
  );
