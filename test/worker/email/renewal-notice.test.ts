import { expect, test } from 'vitest';
import { mailPlan } from '../../../worker/catalog/rules/plans.ts';
import { loadEnglish } from '../../../worker/content/translations.ts';
import { templates } from '../../../worker/email/templates/index.ts';
import { minor } from '../../../worker/platform/types.ts';
import { planNamed } from '../payments/attempts/attempt-fixture.ts';
import { templateContext } from './email-fixture.ts';

await loadEnglish();

test('e-mail templates: a coupon for renewals has a line for the price after it, from its day on', () => {
  const reduction = { off: minor(1000), renewals: 2, day: 31 };
  const plan = mailPlan({ ...planNamed('monthly_usd'), reduction });
  const renews = Date.UTC(2027, 1, 28);
  const about = { at: 0, timeZone: 'UTC', coupon: 'MORE', plan, renews };
  const { next, ...change } = { next: { amount: 2999, at: renews }, paid: 0, credit: 0 };
  const paused = { kind: 'pause', takesEffectAt: 0, until: renews, next, ...change } as const;
  const en = templateContext('en');
  const letters = [
    templates.purchase_confirmation.write(en, { ...about, paid: 2999, withdraw: null }),
    templates.renewal_receipt.write(en, { ...about, paid: 2999 }),
    templates.renewal_reminder.write(en, about),
    templates.resumption.write(en, about),
    templates.plan_change.write(en, { ...about, ...paused }),
    templates.pause_reminder.write(en, about),
  ];
  for (const { paragraphs } of letters) {
    const text = paragraphs.join(' ');
    expect(text).toMatch(/February 28, 2027.*\$29\.99|\$29\.99.*February 28, 2027/);
    expect(text).toContain('From April 30, 2027, you pay $39.99 every month until you cancel.');
  }
});

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
