import { beforeAll, expect, test } from 'vitest';
import { loadLanguage } from '../../../../worker/content/translations.ts';
import {
  purchaseConfirmation,
  refund,
  withdrawal,
} from '../../../../worker/email/templates/purchase-emails.ts';
import { moneyData, templateContext, week } from '../template-context.ts';

beforeAll(() => loadLanguage('de'));

test('purchase confirmation: it states the price now, the renewal price and how to cancel', () => {
  const data = { ...moneyData, paid: 699, renews: week, withdraw: null };
  const { paragraphs, action, footer } = purchaseConfirmation.write(templateContext('en'), data);
  expect(paragraphs).toEqual([
    'You bought: Monthly plan, 7-day intro.',
    'You paid $6.99 today.',
    'Then $39.99 every month, first on November 27, 2026, until you cancel.',
    'You can cancel any time, in two clicks, without a call. You keep the days you paid for.',
  ]);
  expect(action?.href).toBe('https://funnel.test/cancel');
  expect(footer).toEqual(['Questions? Write to help@funnel.test.']);
});

test('purchase confirmation: it states the legal right of withdrawal with its last day', () => {
  const withdraw = Date.UTC(2026, 11, 4);
  const data = { ...moneyData, plan: 'quarterly_eur', paid: 5999, renews: week, withdraw };
  const { paragraphs, footer } = purchaseConfirmation.write(templateContext('de'), data);
  expect(paragraphs[2]).toContain(
    '59,99\u00a0€ alle 3 Monate, zum ersten Mal am 27. November 2026',
  );
  expect(footer?.[0]).toContain('bis zum 4. Dezember 2026 ohne Angabe von Gründen widerrufen');
});

test('purchase confirmation: a one-time payment says so and offers nothing to cancel', () => {
  const data = { ...moneyData, plan: 'guide_1799_usd', paid: 1799, renews: null, withdraw: null };
  const { paragraphs, action } = purchaseConfirmation.write(templateContext('en'), data);
  expect(paragraphs.slice(1)).toEqual([
    'You paid $17.99 today.',
    'It is one payment. It does not renew.',
  ]);
  expect(action?.href).toBe('https://funnel.test/manage');
});

test("purchase confirmation: the plan's own coupon lowers the price and each renewal", () => {
  const upsell = {
    ...moneyData,
    plan: 'upsell_monthly_999_usd',
    paid: 699,
    renews: week,
    withdraw: null,
  };
  const paragraphsWith = (coupon: string | null) =>
    purchaseConfirmation.write(templateContext('en'), { ...upsell, coupon }).paragraphs;
  expect(paragraphsWith('UPSELL30').slice(1, 4)).toEqual([
    'The price is $9.99 less 30%, on every payment.',
    'You paid $6.99 today.',
    'Then $6.99 every month, first on November 27, 2026, until you cancel.',
  ]);
  expect(paragraphsWith(null)[2]).toContain('Then $9.99 every month');
});

test('refund e-mail: it states the amount, the day and the product', () => {
  const { paragraphs } = refund.write(templateContext('en'), { ...moneyData, back: 500 });
  expect(paragraphs[0]).toBe('We returned $5.00 on November 20, 2026: Monthly plan, 7-day intro.');
});

test('withdrawal e-mail: it states the day of the withdrawal and the refund', () => {
  const data = { ...moneyData, back: 699, claimed: false };
  const { paragraphs } = withdrawal.write(templateContext('en'), data);
  expect(paragraphs[0]).toContain('withdrawal on November 20, 2026: Monthly plan, 7-day intro.');
  expect(paragraphs[1]).toContain('We return $6.99');
});

test('withdrawal e-mail: a claim under the guarantee is not called a withdrawal', () => {
  const data = { ...moneyData, back: 4698, claimed: true };
  const { subject, paragraphs } = withdrawal.write(templateContext('en'), data);
  expect(subject).toBe('Your money back');
  expect(paragraphs[0]).toContain('You claimed our guarantee on November 20, 2026');
  expect(paragraphs.join(' ')).not.toContain('withdrawal');
});
