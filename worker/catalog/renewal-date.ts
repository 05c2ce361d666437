import { planOf } from './plans.ts';
import { firstRenewal } from './rules/first-renewal.ts';

/** A day as a visitor reads it: `27 November`, with the year when that is not this one's. */
export function formatDay(at: number, now: number, language: string, timeZone: string): string {
  const year = (ms: number) =>
    new Intl.DateTimeFormat('en', { timeZone, year: 'numeric' }).format(ms);
  return new Intl.DateTimeFormat(language, {
    timeZone,
    day: 'numeric',
    month: 'long',
    ...(year(at) !== year(now) && { year: 'numeric' }),
  }).format(at);
}

const families = {
  m: 'monthly',
  q: 'quarterly',
  3: 'monthly_3d',
  5: 'monthly_5d',
  7: 'monthly_7d',
} as const;

/** What a plan's first renewal that is bought now reads like, by the letter of its token. */
export function renewalDay(
  letter: string,
  now: number,
  language: string,
  timeZone: string,
): string {
  const family = families[letter as keyof typeof families];
  const at = family && firstRenewal(planOf(family, 'USD'), now);
  return at ? formatDay(at, now, language, timeZone) : '';
}
