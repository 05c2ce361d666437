import { expect, test } from 'vitest';
import { countrySales } from '../../../../../worker/console/overview/rules/countries.ts';

const visits = [
  { country: 'DE', visits: 4 },
  { country: 'US', visits: 6 },
  { country: 'DE', visits: 3 },
];
const paid = (country: string, step: string, count: number, amount: number, currency: string) => ({
  ...{ country, step, count, amount, currency },
  slot: step === 'purchase' ? 'main' : '',
});
const payments = [
  paid('DE', 'purchase', 2, 0, 'EUR'),
  paid('DE', 'capture', 2, 2000, 'EUR'),
  paid('DE', 'refund', 1, 500, 'EUR'),
  paid('US', 'capture', 1, 900, 'USD'),
  paid('FR', 'capture', 1, 100, 'USD'),
  { ...paid('US', 'purchase', 1, 0, 'USD'), slot: 'upsell' },
];
const reporting = { currency: 'USD', date: '2026-11-20', rates: { EUR: 1.1 } } as const;

test('countries: visitors, purchases of main plans and money less refunds, in one currency', () => {
  expect(countrySales(visits, payments, reporting)).toEqual([
    { country: 'DE', visitors: 7, purchases: 2, revenue: new Map([['USD', 1650]]) },
    { country: 'US', visitors: 6, purchases: 0, revenue: new Map([['USD', 900]]) },
    { country: 'FR', visitors: 0, purchases: 0, revenue: new Map([['USD', 100]]) },
  ]);
});

test('countries: without a rate each currency keeps its amount', () =>
  expect(countrySales([], payments, null).map(({ revenue }) => [...revenue])).toEqual([
    [['EUR', 1500]],
    [['USD', 900]],
    [['USD', 100]],
  ]));
