/** In any currency, because a provider's fees can be in one that we do not sell in. @param minor units of the currency */
export function amountText(minor: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

const whole = new Intl.NumberFormat('en');
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const change = new Intl.NumberFormat('en', {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

export const wholeText = (count: number): string => whole.format(count);

/** The change as text, such as +12%. */
export const changeText = (share: number): string => change.format(share);

/** A dash if there is nothing to take a share of. */
export const percentText = (part: number, of: number): string =>
  of > 0 ? percent.format(part / of) : '–';

const points = new Intl.NumberFormat('en', { maximumFractionDigits: 1, signDisplay: 'exceptZero' });

/** A difference of shares in percentage points, such as +2.1 points. */
export const pointsText = (share: number): string => `${points.format(100 * share)} points`;
