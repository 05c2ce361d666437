import { expect, test } from 'vitest';
import type { PaymentCount } from '../../../../../worker/console/overview/overview-table.ts';
import {
  landingSales,
  landingTests,
} from '../../../../../worker/console/overview/rules/landing-sales.ts';
import {
  amountSample,
  meanInterval,
  shareSample,
} from '../../../../../worker/experiments/rules/always-valid.ts';

const row = (more: Partial<PaymentCount>): PaymentCount => ({
  time: 0,
  step: 'purchase',
  slot: 'main',
  currency: 'USD',
  variant: '',
  landing: 'one_pager',
  count: 0,
  amount: 0,
  squares: 0,
  ...more,
});
const visits = [
  { landing: 'one_pager_all', visits: 100 },
  { landing: 'one_pager', visits: 1000 },
  { landing: 'one_pager', visits: 500 },
  { landing: '', visits: 7 },
];

test('landings: the most visited landing comes first; counts without a landing are in none', () => {
  const { rows } = landingSales(visits, [row({ count: 3 }), row({ count: 2, landing: '' })], null);
  expect(rows.map(({ landing, visitors, purchases }) => [landing, visitors, purchases])).toEqual([
    ['one_pager', 1500, 3],
    ['one_pager_all', 100, 0],
    ['', 7, 2],
  ]);
});

test('landings: a landing with buyers and no visitor in the period has its sales, without rates', () => {
  const late = [
    row({ count: 2, landing: 'one_pager_ai' }),
    row({ step: 'capture', count: 2, amount: 900, landing: 'one_pager_ai' }),
  ];
  expect(landingSales(visits, late, null).rows.at(-1)).toEqual({
    landing: 'one_pager_ai',
    visitors: 0,
    purchases: 2,
    share: null,
    revenue: null,
  });
});

test('landings: revenue per visitor is captures less refunds and disputes, including extras', () => {
  const payments = [
    row({ count: 60 }),
    row({ count: 5, slot: 'upsell' }),
    row({ step: 'capture', count: 65, amount: 300_000, squares: 1_600_000_000 }),
    row({ step: 'refund', count: 1, amount: 5000, squares: -10_000_000 }),
  ];
  const [first, second] = landingSales(visits, payments, null).rows;
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
  const sold = (count: number) => landingSales(visits, [row({ count })], null).rows[0];
  expect(sold(29)?.share?.interval).toBeNull();
  expect(sold(30)?.share?.interval).not.toBeNull();
  const two = [
    row({ step: 'capture', count: 1, amount: 1000 }),
    row({ step: 'capture', count: 1, amount: 1000, currency: 'EUR' }),
  ];
  expect(landingSales(visits, two, null).rows[0]?.revenue).toBeNull();
  const unpaid = row({ count: 1, currency: 'EUR' });
  const single = landingSales(visits, [...two.slice(0, 1), unpaid], null);
  expect([single.currency, single.rows[0]?.revenue?.value]).toEqual(['USD', 1000 / 1500]);
  const reporting = { currency: 'USD', date: '2026-11-20', rates: { EUR: 1.5 } } as const;
  const converted = landingSales(visits, two, reporting);
  expect([converted.currency, converted.rows[0]?.revenue?.value]).toEqual(['USD', 2500 / 1500]);
});

const arm = (variant: string, flow: string, landing: string, experiment = 'page') => ({
  ...{ experiment, variant, flow, landing },
});
const fair = [arm('a', 'default', 'one_pager'), arm('b', 'people', 'one_pager_all')];
const both = ['one_pager', 'one_pager_all'];

test.each<[string, ReturnType<typeof arm>[], object[]]>([
  [
    'variants with the same landing compare none',
    [arm('a', 'default', 'one_pager'), arm('b', 'short', 'one_pager')],
    [],
  ],
  ['variants with different landings compare them', fair, [{ landings: both, unfair: null }]],
  [
    'a flow that changed its landing is not fair',
    [...fair, arm('a', 'default', 'one_pager_ai')],
    [{ landings: ['one_pager', 'one_pager_ai', 'one_pager_all'], unfair: 'mixed' }],
  ],
  [
    'a flow that changed its landing in an experiment of one landing is not fair',
    [arm('a', 'default', 'one_pager'), arm('a', 'default', 'one_pager_ai')],
    [{ landings: ['one_pager', 'one_pager_ai'], unfair: 'mixed' }],
  ],
  [
    'a variant that changed to a flow with another landing is not fair',
    [...fair, arm('a', 'short', 'one_pager_ai')],
    [{ unfair: 'mixed' }],
  ],
  [
    'a flow that two variants had at different times with different landings is not fair',
    [arm('a', 'default', 'one_pager'), arm('b', 'default', 'one_pager_all')],
    [{ landings: both, unfair: 'mixed' }],
  ],
  [
    'visitors of before landings were stored may have seen another one',
    [...fair, arm('b', 'people', '')],
    [{ landings: both, unfair: 'not stored' }],
  ],
  ['landings that were not stored compare none', [arm('a', 'x', ''), arm('b', 'y', '')], []],
  [
    'pages that visitors open by their address are in every variant',
    [...fair, arm('a', 'default', 'direct:one_pager_ai'), arm('b', 'people', 'direct:signup')],
    [{ landings: both, unfair: null }],
  ],
  [
    'experiments are judged separately',
    [...fair, arm('a', 'default', 'one_pager_ai', 'price'), arm('b', 'x', 'one_pager_l1', 'price')],
    [
      { experiment: 'page', unfair: null },
      { experiment: 'price', unfair: null },
    ],
  ],
])('landings: which experiments compare them fairly: %s', (_case, arms, expected) => {
  expect(landingTests(arms)).toEqual(expected.map((each) => expect.objectContaining(each)));
});

test('landings: revenue per visitor has no renewals of people who visited earlier', () => {
  const first = row({ step: 'capture', count: 40, amount: 100_000, squares: 300_000_000 });
  const renewals = [
    row({ step: 'capture', count: 30, amount: 90_000, squares: 200_000_000, renewal: 1 }),
    row({ step: 'refund', count: 1, amount: 3000, squares: -1, renewal: 1, currency: 'EUR' }),
  ];
  const sold = row({ count: 40 });
  expect(landingSales(visits, [sold, first, ...renewals], null)).toEqual(
    landingSales(visits, [sold, first], null),
  );
});
