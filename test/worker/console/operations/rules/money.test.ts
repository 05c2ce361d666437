import { expect, test } from 'vitest';
import type { MoneyCount } from '../../../../../worker/console/operations/money-table.ts';
import {
  feesOf,
  moneyRows,
  moneyTotals,
} from '../../../../../worker/console/operations/rules/money.ts';
import { minor } from '../../../../../worker/platform/types.ts';

const count = (
  day: string,
  step: MoneyCount['step'],
  amount: number,
  provider = 'stripe',
): MoneyCount => ({ day, step, amount: minor(amount), provider, currency: 'USD', count: 1 });

const counts = [
  count('2026-11-21', 'capture', 10_000),
  count('2026-11-22', 'capture', 5000),
  count('2026-11-22', 'refund', 700),
  count('2026-11-22', 'dispute', 300),
  count('2026-11-22', 'capture', 900, 'braintree'),
];

test('money: refunds and disputes are subtracted; the newest day comes first', () => {
  expect(moneyRows(counts).map(({ day, provider, net }) => [day, provider, net])).toEqual([
    ['2026-11-22', 'braintree', 900],
    ['2026-11-22', 'stripe', 4000],
    ['2026-11-21', 'stripe', 10_000],
  ]);
});

test('money: the totals are of the whole period', () => {
  expect(moneyTotals(counts)).toMatchObject([
    { day: '', provider: 'braintree', captured: 900, refunded: 0, net: 900 },
    { day: '', provider: 'stripe', captured: 15_000, refunded: 700, disputed: 300, net: 14_000 },
  ]);
});

test('money: a provider without reported fees is listed, with no days', () => {
  const fee = (day: string, amount: number) => ({
    gateway: 'stripe',
    currency: 'USD',
    day,
    amount: minor(amount),
  });
  expect(feesOf(counts, [fee('2026-11-21', 320), fee('2026-11-22', 180)])).toEqual([
    { provider: 'braintree', amounts: [], days: 0 },
    { provider: 'stripe', amounts: [{ currency: 'USD', amount: 500 }], days: 2 },
  ]);
});
