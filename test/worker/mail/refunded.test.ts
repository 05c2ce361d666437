import { expect, test } from 'vitest';
import { refunded } from '../../../worker/mail/refunded.ts';
import { wordsOf } from '../../../worker/text.ts';

const desk = (language: string) => ({
  t: wordsOf(language).mails,
  language,
  site: 'https://funnel.test',
  support: 'help@funnel.test',
});
const at = Date.parse('2026-11-20T12:00Z');
const about = { plan: 'monthly_7d_usd', at, timeZone: 'UTC' };

test('the receipt tells sum, day and what it was for', () => {
  const { paragraphs } = refunded.write(desk('en'), { ...about, back: 500 });
  expect(paragraphs[0]).toBe('We returned $5.00 on November 20, 2026: Monthly plan, 7-day intro.');
});
