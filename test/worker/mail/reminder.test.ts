import { expect, test } from 'vitest';
import { reminder } from '../../../worker/mail/reminder.ts';
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

test('the reminder tells sum and date, and leads to cancelling', () => {
  const { subject, paragraphs, action } = reminder.write(desk('en'), { ...about, renews: week });
  expect(subject).toBe('Your plan renews on November 27, 2026');
  expect(paragraphs[0]).toContain('ends on November 27, 2026. Then we charge $39.99');
  expect(action?.href).toBe('https://funnel.test/cancel');
});
