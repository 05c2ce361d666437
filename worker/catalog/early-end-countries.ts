import { earlyEnds } from './rules/early-ends.ts';

export function earlyEndsIn(language: string): string {
  const names = new Intl.DisplayNames([language], { type: 'region' });
  const notice = (count: number, unit: string) =>
    count.toLocaleString(`${language}-u-nu-latn`, { style: 'unit', unit, unitDisplay: 'long' });
  const all = Object.entries(earlyEnds).map(
    ([country, months]) =>
      `${names.of(country)}: ${months ? notice(months, 'month') : notice(0, 'day')}`,
  );
  return new Intl.ListFormat(language, { type: 'unit' }).format(all);
}
