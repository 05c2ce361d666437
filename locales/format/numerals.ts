export const latin = { numberingSystem: 'latn' } as const;

const marks = /[\u200e\u200f\u061c]/g;

export const unmarked = (text: string): string => text.replace(marks, '');

export function isolated(text: string): string {
  const bare = unmarked(text);
  if (bare === text) return text;
  return `${text.includes('\u200f') ? '\u2067' : '\u2066'}${bare}\u2069`;
}

export function percentOf(percent: number, language: string): string {
  const written = new Intl.NumberFormat(language, { ...latin, style: 'percent' });
  return isolated(written.format(percent / 100).replace(/\s/g, '\u00a0'));
}
