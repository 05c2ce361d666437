import { translationsFor } from '../../../worker/content/translations.ts';

/** @param language one that is loaded */
export const templateContext = (language: string) => ({
  t: translationsFor(language).mails,
  language,
  site: 'https://funnel.test',
  support: 'help@funnel.test',
});

const at = Date.parse('2026-11-20T12:00Z');
export const week = Date.parse('2026-11-27T12:00Z');
export const moneyData = { plan: 'monthly_7d_usd', coupon: null, at, timeZone: 'UTC' } as const;
