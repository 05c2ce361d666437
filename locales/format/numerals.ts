/** Digits are 0 to 9 in every language, as in phone numbers and cards. */
export const latin = { numberingSystem: 'latn' } as const;

/** Invisible direction marks that Intl inserts. */
const marks = /[\u200e\u200f\u061c]/g;

export const unmarked = (text: string): string => text.replace(marks, '');

/**
 * Isolates Intl's right-to-left output from the surrounding text. Text without direction marks is
 * unchanged.
 */
export function isolated(text: string): string {
  const bare = unmarked(text);
  if (bare === text) return text;
  return `${text.includes('\u200f') ? '\u2067' : '\u2066'}${bare}\u2069`;
}

/** A formatted percentage: `percentOf(50, 'de')` is `50 %`. */
export function percentOf(percent: number, language: string): string {
  const written = new Intl.NumberFormat(language, { ...latin, style: 'percent' });
  return isolated(written.format(percent / 100).replace(/\s/g, '\u00a0'));
}
