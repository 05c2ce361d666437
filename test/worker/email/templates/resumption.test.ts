import { expect, test } from 'vitest';
import { translationsFor } from '../../../../worker/content/translations.ts';
import { resumption } from '../../../../worker/email/templates/resumption.ts';

const desk = {
  t: translationsFor('en').mails,
  language: 'en',
  site: 'https://funnel.test',
  support: 'help@funnel.test',
};
const at = Date.parse('2026-11-20T12:00Z');
const renews = Date.parse('2026-11-27T12:00Z');
const paragraphsOf = (plan: string, coupon: string | null = null) =>
  resumption.write(desk, { plan, coupon, at, renews, timeZone: 'UTC' }).paragraphs;

test('who goes on is told what is charged when, and the way out', () => {
  expect(paragraphsOf('monthly_7d_usd')).toEqual([
    'You took back your cancellation on November 20, 2026: Monthly plan, 7-day intro.',
    'Then $39.99 every month, first on November 27, 2026, until you cancel.',
    expect.stringContaining('You can cancel any time'),
  ]);
  expect(paragraphsOf('quarterly_usd')[1]).toContain('$59.99 every 3 months');
  expect(paragraphsOf('upsell_monthly_999_usd', 'UPSELL30')[1]).toContain('$6.99 every month');
});
