import { translationsFor } from '../../../worker/content/translations.ts';

/** Where a letter is written, in a language that was learned. */
export const desk = (language: string) => ({
  t: translationsFor(language).mails,
  language,
  site: 'https://funnel.test',
  support: 'help@funnel.test',
});

const at = Date.parse('2026-11-20T12:00Z');
export const week = Date.parse('2026-11-27T12:00Z');
export const about = { plan: 'monthly_7d_usd', coupon: null, at, timeZone: 'UTC' } as const;
