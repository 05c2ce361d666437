import { expect, test } from 'vitest';
import { renewalReminder } from '../../../../worker/email/templates/renewal-reminder.ts';
import { about, desk, week } from '../template-context.ts';

test('the reminder tells sum and date, and leads to cancelling', () => {
  const { subject, paragraphs, action } = renewalReminder.write(desk('en'), {
    ...about,
    renews: week,
  });
  expect(subject).toBe('Your plan renews on November 27, 2026');
  expect(paragraphs[0]).toContain('ends on November 27, 2026. Then we charge $39.99');
  expect(action?.href).toBe('https://funnel.test/cancel');
});
