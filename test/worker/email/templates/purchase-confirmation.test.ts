import { beforeAll, expect, test } from 'vitest';
import { loadLanguage } from '../../../../worker/content/translations.ts';
import { purchaseConfirmation } from '../../../../worker/email/templates/purchase-confirmation.ts';
import { about, desk, week } from '../template-context.ts';

beforeAll(() => loadLanguage('de'));

test('a purchase is confirmed with what it costs now, later, and how it ends', () => {
  const facts = { ...about, paid: 699, renews: week, withdraw: null };
  const { paragraphs, action, small } = purchaseConfirmation.write(desk('en'), facts);
  expect(paragraphs).toEqual([
    'You bought: Monthly plan, 7-day intro.',
    'You paid $6.99 today.',
    'Then $39.99 every month, first on November 27, 2026, until you cancel.',
    'You can cancel any time, in two clicks, without a call. You keep the days you paid for.',
  ]);
  expect(action?.href).toBe('https://funnel.test/cancel');
  expect(small).toEqual(['Questions? Write to help@funnel.test.']);
});

test('where the law gives it, the right of withdrawal stands there with its last day', () => {
  const withdraw = Date.UTC(2026, 11, 4);
  const euro = { ...about, plan: 'quarterly_eur', paid: 5999, renews: week, withdraw };
  const { paragraphs, small } = purchaseConfirmation.write(desk('de'), euro);
  expect(paragraphs[2]).toContain(
    '59,99\u00a0€ alle 3 Monate, zum ersten Mal am 27. November 2026',
  );
  expect(small?.[0]).toContain('bis zum 4. Dezember 2026 ohne Angabe von Gründen widerrufen');
});

test('what is paid once says so and offers nothing to cancel', () => {
  const once = { ...about, plan: 'guide_1799_usd', paid: 1799, renews: null, withdraw: null };
  const { paragraphs, action } = purchaseConfirmation.write(desk('en'), once);
  expect(paragraphs.slice(1)).toEqual([
    'You paid $17.99 today.',
    'It is one payment. It does not renew.',
  ]);
  expect(action?.href).toBe('https://funnel.test/manage');
});

test('a coupon of the plan is told with the price that it lowers, and lowers what renews', () => {
  const upsell = {
    ...about,
    plan: 'upsell_monthly_999_usd',
    paid: 699,
    renews: week,
    withdraw: null,
  };
  const written = (coupon: string | null) =>
    purchaseConfirmation.write(desk('en'), { ...upsell, coupon }).paragraphs;
  expect(written('UPSELL30').slice(1, 4)).toEqual([
    'The price is $9.99 less 30%, on every payment.',
    'You paid $6.99 today.',
    'Then $6.99 every month, first on November 27, 2026, until you cancel.',
  ]);
  expect(written(null)[2]).toContain('Then $9.99 every month');
});
