import { expect, test } from 'vitest';
import {
  cancellation,
  renewalReminder,
  resumption,
} from '../../../../worker/email/templates/renewal-emails.ts';
import { moneyData, templateContext, week } from '../template-context.ts';

const context = templateContext('en');

test('renewal reminder: it states the price and the date, and links to cancelling', () => {
  const { subject, paragraphs, action } = renewalReminder.write(context, {
    ...moneyData,
    renews: week,
  });
  expect(subject).toBe('Your plan renews on November 27, 2026');
  expect(paragraphs[0]).toContain('ends on November 27, 2026. Then we charge $39.99');
  expect(action?.href).toBe('https://funnel.test/cancel');
});

test('cancellation e-mail: it states when it was requested and when the plan ends', () => {
  const { paragraphs } = cancellation.write(context, { ...moneyData, ends: week });
  expect(paragraphs).toEqual([
    'We received your cancellation on November 20, 2026: Monthly plan, 7-day intro.',
    'It stays active until November 27, 2026 and then ends.',
    'It does not renew, and nothing more is charged.',
  ]);
});

test('cancellation e-mail: without a known end it states none', () => {
  expect(cancellation.write(context, { ...moneyData, ends: null }).paragraphs).toHaveLength(2);
});

test('resumption e-mail: it states the next charge and how to cancel', () => {
  const paragraphsOf = (plan: string, coupon: string | null = null) =>
    resumption.write(context, { ...moneyData, plan, coupon, renews: week }).paragraphs;
  expect(paragraphsOf('monthly_7d_usd')).toEqual([
    'You took back your cancellation on November 20, 2026: Monthly plan, 7-day intro.',
    'Then $39.99 every month, first on November 27, 2026, until you cancel.',
    expect.stringContaining('You can cancel any time'),
  ]);
  expect(paragraphsOf('quarterly_usd')[1]).toContain('$59.99 every 3 months');
  expect(paragraphsOf('upsell_monthly_999_usd', 'UPSELL30')[1]).toContain('$6.99 every month');
});
