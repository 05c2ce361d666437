/** In any currency, because a provider's fees can be in one that we do not sell in. @param minor units of the currency */
export function amountText(minor: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

const whole = new Intl.NumberFormat('en');
const percentFormat = (signDisplay: 'auto' | 'exceptZero') =>
  new Intl.NumberFormat('en', {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    signDisplay,
  });
const percent = percentFormat('auto');
const change = percentFormat('exceptZero');

/** The minus of a hyphen is too short beside a plus. */
const withMinus = (text: string) => text.replace('-', '−');

export const wholeText = (count: number): string => whole.format(count);

export const changeText = (share: number): string => withMinus(change.format(share));

/** A dash if there is nothing to take a share of. Nothing and everything need no decimals. */
export function percentText(part: number, of: number): string {
  if (of <= 0) return '–';
  if (part === 0 || part === of) return part === 0 ? '0%' : '100%';
  return part / of < 0.0005 ? 'under 0.1%' : percent.format(part / of);
}

const points = new Intl.NumberFormat('en', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** A difference of shares in percentage points, such as +2.1 points. */
export const pointsText = (share: number): string =>
  withMinus(`${points.format(100 * share)} points`);
