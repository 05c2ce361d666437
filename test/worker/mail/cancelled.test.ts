import { expect, test } from 'vitest';
import { cancelled } from '../../../worker/mail/cancelled.ts';
import { wordsOf } from '../../../worker/text.ts';

const desk = (language: string) => ({
  t: wordsOf(language).mails,
  language,
  site: 'https://funnel.test',
  support: 'help@funnel.test',
});
const at = Date.parse('2026-11-20T12:00Z');
const week = Date.parse('2026-11-27T12:00Z');
const about = { plan: 'monthly_7d_usd', at, timeZone: 'UTC' };

test('the receipt tells when it was asked for, and what ends when', () => {
  const { paragraphs } = cancelled.write(desk('en'), { ...about, ends: week });
  expect(paragraphs).toEqual([
    'We received your cancellation on November 20, 2026: Monthly plan, 7-day intro.',
    'It stays active until November 27, 2026 and then ends.',
    'It does not renew, and nothing more is charged.',
  ]);
});

test('without a known end it promises none', () => {
  expect(cancelled.write(desk('en'), { ...about, ends: null }).paragraphs).toHaveLength(2);
});
