/** Number of decimals of a currency: none, two or three. */
export const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
    .maximumFractionDigits ?? 2;

/** @param minor units of the currency */
export const amountText = (minor: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(
    minor / 10 ** decimalsOf(currency),
  );

/** Such as 12.50, for a spreadsheet. @param minor units of the currency */
export const decimalText = (minor: number, currency: string): string => {
  const digits = decimalsOf(currency);
  return (minor / 10 ** digits).toFixed(digits);
};

const whole = new Intl.NumberFormat('en');
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const change = new Intl.NumberFormat('en', {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

export const wholeText = (count: number): string => whole.format(count);

/** Such as +12%. */
export const changeText = (share: number): string => change.format(share);

/** A dash if there is nothing to take a share of. */
export const percentText = (part: number, of: number): string =>
  of > 0 ? percent.format(part / of) : '–';
