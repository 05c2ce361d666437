import { expect, test } from 'vitest';
import type { PaymentCount } from '../../../../worker/console/overview/overview-table.ts';
import { landingSales, landingTests } from '../../../../worker/console/rules/landing-sales.ts';
import {
  amountSample,
  meanInterval,
  shareSample,
} from '../../../../worker/experiments/rules/always-valid.ts';

const flows = new Map([
  ['default', ['one_pager', 'success']],
  ['other', ['one_pager', 'signup']],
  ['people', ['one_pager_all', 'success']],
]);
const row = (more: Partial<PaymentCount>): PaymentCount => ({
  time: 0,
  step: 'purchase',
  slot: 'main',
  currency: 'USD',
  variant: '',
  flow: 'default',
  count: 0,
  amount: 0,
  squares: 0,
  ...more,
});
const visits = [
  { flow: 'people', visits: 100 },
  { flow: 'default', visits: 1000 },
  { flow: 'other', visits: 500 },
  { flow: 'gone', visits: 7 },
];

test('landings: flows with the same first screen are added up, the most visited landing comes first', () => {
  const { rows } = landingSales(visits, [row({ count: 3, flow: 'other' })], flows, null);
  expect(rows.map(({ landing, visitors, purchases }) => [landing, visitors, purchases])).toEqual([
    ['one_pager', 1500, 3],
    ['one_pager_all', 100, 0],
    ['former flow', 7, 0],
  ]);
});

test('landings: revenue per visitor is captures less refunds and disputes, including extras', () => {
  const payments = [
    row({ count: 60 }),
    row({ count: 5, slot: 'upsell' }),
    row({ step: 'capture', count: 65, amount: 300_000, squares: 1_600_000_000 }),
    row({ step: 'refund', count: 1, amount: 5000, squares: -10_000_000 }),
  ];
  const [first, second] = landingSales(visits, payments, flows, null).rows;
  expect(first?.share).toEqual({
    value: 60 / 1500,
    interval: meanInterval(shareSample(60, 1500)),
  });
  expect(first?.revenue).toEqual({
    value: 295_000 / 1500,
    interval: meanInterval(amountSample(295_000, 1_590_000_000, 1500)),
  });
  expect(second?.revenue).toEqual({ value: 0, interval: null });
});

test('landings: an interval is shown from 30 purchases, and revenue only with rates for its currencies', () => {
  const sold = (count: number) => landingSales(visits, [row({ count })], flows, null).rows[0];
  expect(sold(29)?.share.interval).toBeNull();
  expect(sold(30)?.share.interval).not.toBeNull();
  const two = [
    row({ step: 'capture', count: 1, amount: 1000 }),
    row({ step: 'capture', count: 1, amount: 1000, currency: 'EUR' }),
  ];
  expect(landingSales(visits, two, flows, null).rows[0]?.revenue).toBeNull();
  const unpaid = row({ count: 1, currency: 'EUR' });
  const single = landingSales(visits, [...two.slice(0, 1), unpaid], flows, null);
  expect([single.currency, single.rows[0]?.revenue?.value]).toEqual(['USD', 1000 / 1500]);
  const reporting = { currency: 'USD', date: '2026-11-20', rates: { EUR: 1.5 } } as const;
  const converted = landingSales(visits, two, flows, reporting);
  expect([converted.currency, converted.rows[0]?.revenue?.value]).toEqual(['USD', 2500 / 1500]);
});

test('landings: the experiments listed as comparing them are those whose variants start differently', () => {
  const arm = (experiment: string, flow: string) => ({ experiment, variant: flow, flow });
  const arms = [
    arm('price', 'default'),
    arm('price', 'other'),
    arm('page', 'default'),
    arm('page', 'people'),
    arm('old', 'gone'),
  ];
  expect(landingTests(arms, flows)).toEqual([
    { experiment: 'page', landings: ['one_pager', 'one_pager_all'] },
  ]);
});

test('landings: revenue per visitor has no renewals of people who visited earlier', () => {
  const first = row({ step: 'capture', count: 40, amount: 100_000, squares: 300_000_000 });
  const renewals = [
    row({ step: 'capture', count: 30, amount: 90_000, squares: 200_000_000, renewal: 1 }),
    row({ step: 'refund', count: 1, amount: 3000, squares: -1, renewal: 1, currency: 'EUR' }),
  ];
  const sold = row({ count: 40 });
  expect(landingSales(visits, [sold, first, ...renewals], flows, null)).toEqual(
    landingSales(visits, [sold, first], flows, null),
  );
});
