import { expect, test } from 'vitest';
import type { PaymentCount } from '../../../../../worker/console/overview/overview-table.ts';
import {
  differenceOf,
  figuresOf,
  screensOf,
  variantsOf,
} from '../../../../../worker/console/overview/rules/overview.ts';

const payment = (time: number, step: string, count: number, amount = 0): PaymentCount => ({
  time,
  step,
  slot: 'main',
  currency: 'USD',
  variant: 'fullPrice',
  landing: 'default',
  count,
  amount,
  squares: 0,
});

const now = {
  steps: [
    { time: 100, step: 'exposure', visits: 40 },
    { time: 200, step: 'exposure', visits: 60 },
    { time: 200, step: 'sign_up', visits: 9 },
  ],
  payments: [
    payment(100, 'purchase', 2),
    payment(100, 'capture', 2, 8000),
    payment(200, 'refund', 1, 1500),
    payment(200, 'dispute', 1, 500),
    payment(200, 'declined', 3),
  ],
};
const before = {
  steps: [{ time: 0, step: 'exposure', visits: 50 }],
  payments: [payment(0, 'capture', 1, 4000)],
};

test('overview: figures of the period, of the one before, and by time', () => {
  expect(figuresOf(now, before, [100, 200])).toEqual([
    { name: 'Visitors', value: 100, before: 50, series: [40, 60] },
    { name: 'Sign-ups', value: 9, before: 0, series: [0, 9] },
    { name: 'Purchases', value: 2, before: 0, series: [2, 0] },
    { name: 'Revenue', currency: 'USD', value: 6000, before: 4000, series: [8000, -2000] },
    { name: 'Refunds', value: 1, before: 0, series: [0, 1] },
    { name: 'Declines', value: 3, before: 0, series: [0, 3] },
  ]);
});

test('overview: revenue in two currencies is also added up in one, at the day’s rate', () => {
  const euros = { ...payment(200, 'capture', 1, 1000), currency: 'EUR' };
  const both = { ...now, payments: [...now.payments, euros] };
  const reporting = { currency: 'USD', date: '2026-11-20', rates: { EUR: 1.1 } } as const;
  const revenue = (rates: Parameters<typeof figuresOf>[3]) =>
    figuresOf(both, before, [100, 200], rates).filter(({ currency }) => currency);
  expect(revenue(reporting)).toEqual([
    {
      name: 'All revenue',
      currency: 'USD',
      value: 7100,
      before: 4000,
      series: [8000, -900],
      note: 'at 1 EUR = 1.1 USD of 2026-11-20',
    },
    { name: 'Revenue', currency: 'EUR', value: 1000, before: 0, series: [0, 1000] },
    { name: 'Revenue', currency: 'USD', value: 6000, before: 4000, series: [8000, -2000] },
  ]);
  const unpaid = { ...payment(200, 'purchase', 1), currency: 'JPY' };
  const sold = { ...now, payments: [...now.payments, unpaid] };
  const shown = figuresOf(sold, before, [100, 200]).map(({ currency }) => currency);
  expect(shown.filter(Boolean)).toEqual(['USD']);
  expect(revenue(null).map(({ name }) => name)).toEqual(['Revenue', 'Revenue']);
});

test('overview: twice as much is 100 % more; more than nothing has no percentage', () => {
  expect(differenceOf({ value: 100, before: 50 })).toBe(1);
  expect(differenceOf({ value: 3, before: 1 })).toBe(2);
  expect(differenceOf({ value: 100, before: 0 })).toBeNull();
});

test('overview: screens by arrivals, with who continued and after how long', () => {
  const rows = [
    { step: 'screen__load', screen: 'signup', bucket: 0, visits: 20 },
    { step: 'screen__load', screen: 'one_pager', bucket: 0, visits: 50 },
    { step: 'button__continue', screen: 'one_pager', bucket: 4, visits: 30 },
  ];
  expect(screensOf(rows)).toEqual([
    { screen: 'one_pager', arrived: 50, continued: 30, seconds: expect.closeTo(1.13, 2) },
    { screen: 'signup', arrived: 20, continued: 0, seconds: null },
  ]);
});

test('overview: pages outside the funnel, counted without a screen, are not listed', () =>
  expect(screensOf([{ step: 'screen__load', screen: '', bucket: 0, visits: 8 }])).toEqual([]));

test('overview: variants by visitors; only the main plan counts as a purchase', () => {
  const steps = [
    { step: 'exposure', variant: 'fullPrice', visits: 10 },
    { step: 'exposure', variant: 'trial', visits: 30 },
    { step: 'sign_up', variant: 'trial', visits: 6 },
  ];
  const sales = [payment(100, 'purchase', 2), { ...payment(100, 'purchase', 5), slot: 'extra' }];
  expect(variantsOf(steps, sales)).toEqual([
    { variant: 'trial', visitors: 30, signUps: 6, purchases: 0 },
    { variant: 'fullPrice', visitors: 10, signUps: 0, purchases: 2 },
  ]);
});

test('overview: revenue is shown as a whole, of new purchases, and of renewals, which add up', () => {
  const money = (
    time: number,
    step: string,
    amount: number,
    renewal: number,
    currency = 'USD',
  ) => ({
    ...payment(time, step, 1),
    ...{ amount, renewal, currency },
  });
  const payments = [
    money(100, 'capture', 5000, 0),
    money(100, 'capture', 4000, 1),
    money(200, 'refund', 1500, 1),
    money(200, 'capture', 900, 0, 'EUR'),
  ];
  const figures = figuresOf({ steps: [], payments }, { steps: [], payments: [] }, [100, 200]);
  expect(
    figures.flatMap(({ name, currency, value, series }) =>
      currency ? [[name, currency, value, ...series]] : [],
    ),
  ).toEqual([
    ['Revenue', 'EUR', 900, 0, 900],
    ['Revenue', 'USD', 7500, 9000, -1500],
    ['New revenue', 'USD', 5000, 5000, 0],
    ['Renewal revenue', 'USD', 2500, 4000, -1500],
  ]);
});
