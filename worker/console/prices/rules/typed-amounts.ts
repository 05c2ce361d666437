import { decimal, minorPerUnit } from '../../../../locales/format/currency.ts';

export type Amounts = Readonly<Record<string, string>>;

export type WrittenAmounts = Record<string, unknown>;

const amountText = (amount: unknown, currency: string): string =>
  typeof amount === 'number'
    ? decimal(Math.round(amount * minorPerUnit(currency)), currency)
    : String(amount);

export const typed = (amounts: WrittenAmounts): Amounts =>
  Object.fromEntries(
    Object.entries(amounts).map(([currency, amount]) => [currency, amountText(amount, currency)]),
  );

/** What is no number stays as typed, so that the check names it; so do 1,500 and 1.500, which are two numbers. */
export function numberIn(text: string, perUnit = 1): number | string {
  const found = /^\d+([.,]\d+)?$/.exec(text);
  const digits = (found?.[1]?.length ?? 1) - 1;
  const isLost = 10 ** digits > perUnit && text.endsWith('0');
  const isOne = found && !isLost && !/,\d{3}$/.test(text);
  return isOne ? Number(text.replace(',', '.')) : text;
}

export function merged(before: WrittenAmounts, amounts: Amounts): WrittenAmounts {
  const all = { ...before };
  for (const [currency, text] of Object.entries(amounts)) {
    if (text === '') delete all[currency];
    else all[currency] = numberIn(text, minorPerUnit(currency));
  }
  return all;
}

export const isKept = (before: WrittenAmounts = {}, after: WrittenAmounts = {}) =>
  Object.entries(before).every(([currency, amount]) => after[currency] === amount);
