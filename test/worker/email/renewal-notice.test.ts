import { expect, test } from 'vitest';
import { mailPlan } from '../../../worker/catalog/rules/plans.ts';
import { loadEnglish } from '../../../worker/content/translations.ts';
import { templates } from '../../../worker/email/templates/index.ts';
import { minor } from '../../../worker/platform/types.ts';
import { planNamed } from '../payments/attempts/attempt-fixture.ts';
import { templateContext } from './email-fixture.ts';

await loadEnglish();

test('e-mail template renewal_reminder: weeks before a long period it names the plan, the day and the price', async () => {
  const plan = mailPlan({ ...planNamed('monthly_usd'), period: 'year', price: minor(9900) });
  const renews = Date.UTC(2026, 10, 27);
  const about = { at: 0, timeZone: 'UTC', coupon: null };
  const early = { ...about, plan, renews, early: true } as const;
  const content = templates.renewal_reminder.write(templateContext('en'), early);
  expect([content.subject, content.facts, content.paragraphs]).toEqual([
    'Your plan renews on November 27, 2026',
    [['Purchase', 'Yearly plan']],
    [
      'From November 27, 2026, you pay $99.00 every year until you cancel.',
      expect.stringContaining('cancel before the charge'),
    ],
  ]);
});
