/** Figures are 0 to 9 in every language: phone numbers, cards and clocks have no others. */
export const latin = { numberingSystem: 'latn' } as const;

/** Invisible signs by which Intl steers the direction of what follows. */
const marks = /[\u200e\u200f\u061c]/g;

/** A piece of text without direction signs. */
export const unmarked = (text: string): string => text.replace(marks, '');

/**
 * What Intl wrote for a language from right to left, cut loose from the text around it, so that it
 * reads the same in any sentence. Text without direction signs stays as it is.
 */
export function isolated(text: string): string {
  const bare = unmarked(text);
  if (bare === text) return text;
  return `${text.includes('\u200f') ? '\u2067' : '\u2066'}${bare}\u2069`;
}

/** A share as people of a language write it: `percentOf(50, 'de')` is `50 %`. */
export function percentOf(percent: number, language: string): string {
  const written = new Intl.NumberFormat(language, { ...latin, style: 'percent' });
  return isolated(written.format(percent / 100).replace(/\s/g, '\u00a0'));
}
