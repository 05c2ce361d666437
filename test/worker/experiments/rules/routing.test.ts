import fc from 'fast-check';
import { expect, test } from 'vitest';
import builtIn from '../../../../worker/catalog/rules/built-in-catalog.json' with { type: 'json' };
import { builtInDocuments } from '../../../../worker/experiments/rules/config-documents.ts';
import { builtInOffer } from '../../../../worker/experiments/rules/config-kinds.ts';
import { validateDocuments } from '../../../../worker/experiments/rules/config-validation.ts';
import { type RoutingRule, routeOf } from '../../../../worker/experiments/rules/routing.ts';
import { configText, texts } from '../../../scripts/config/command-context.ts';

const card = { market: 'us', method: 'card' } as const;
const share = (stripe: number): RoutingRule => ({
  gateways: [
    { name: 'stripe', weight: stripe },
    { name: 'braintree', weight: 100 - stripe },
  ],
});

/** The problems of a configuration with this routing. */
const problemsOf = (routing: unknown) =>
  validateDocuments(texts(configText(undefined, { routing }))).problems.map(
    ({ path, reason }) => `${path}: ${reason}`,
  );

test('routing: a rule is unreachable only after one that takes all its markets and methods', () => {
  const first = { markets: ['euro'], methods: ['wallet'], ...share(50) };
  expect(problemsOf([first, { markets: ['euro'], ...share(50) }])).toEqual([]);
  expect(problemsOf([first, { methods: ['wallet'], ...share(50) }])).toEqual([]);
  expect(problemsOf([share(50), first])).toEqual(['routing: a rule is never reached']);
});

test('routing: a configuration has at most 50 rules', () => {
  const rules = (count: number) => Array.from({ length: count }, () => share(50));
  const isTooLong = (count: number) => problemsOf(rules(count)).join().includes('<=50');
  expect([50, 51].map(isTooLong)).toEqual([false, true]);
});

test('routing: without rules Stripe is tried first, then Braintree', () =>
  expect(routeOf([], card, 'account')).toEqual(['stripe', 'braintree']));

test('routing: the first rule that fits market and method decides', () => {
  const rules: RoutingRule[] = [
    { markets: ['euro'], methods: ['wallet'], gateways: [{ name: 'stripe', weight: 100 }] },
    { markets: ['euro', 'europe'], ...share(0) },
    share(100),
  ];
  const to = (market: 'us' | 'euro' | 'europe', method: 'card' | 'wallet') =>
    routeOf(rules, { market, method }, 'account').join();
  expect(to('euro', 'wallet')).toBe('stripe');
  expect(to('euro', 'card')).toBe('braintree,stripe');
  expect(to('europe', 'wallet')).toBe('braintree,stripe');
  expect(to('us', 'wallet')).toBe('stripe,braintree');
});

test('routing: the route has every gateway of the rule once, the drawn one first', () => {
  fc.assert(
    fc.property(fc.nat(100), fc.uuid(), (weight, account) => {
      const route = routeOf([share(weight)], card, account);
      expect(route.toSorted()).toEqual(['braintree', 'stripe']);
      if (weight === 100) expect(route[0]).toBe('stripe');
      if (weight === 0) expect(route[0]).toBe('braintree');
    }),
  );
});

test('routing: an account keeps its gateway when the gateway’s share grows', () => {
  fc.assert(
    fc.property(fc.nat(100), fc.nat(100), fc.uuid(), (one, two, account) => {
      const [less, more] = [Math.min(one, two), Math.max(one, two)];
      const [before] = routeOf([share(less)], card, account);
      expect(routeOf([share(less)], { market: 'euro', method: 'wallet' }, account)[0]).toBe(before);
      if (before === 'stripe') expect(routeOf([share(more)], card, account)[0]).toBe('stripe');
    }),
  );
});

test('routing: the shares of many accounts are the weights', () => {
  const accounts = Array.from({ length: 4000 }, (_, at) => `account-${at}`);
  const first = accounts.filter((one) => routeOf([share(70)], card, one)[0] === 'stripe');
  expect(first.length / accounts.length).toBeCloseTo(0.7, 1);
});

test('routing: without an account a page shows the most likely gateway', () => {
  expect(routeOf([share(40)], card, null)[0]).toBe('braintree');
  expect(routeOf([share(60)], card, null)[0]).toBe('stripe');
});

test('routing: a valid document is published', () => {
  expect(problemsOf([{ markets: ['us'], methods: ['card'], ...share(70.5) }, share(100)])).toEqual(
    [],
  );
});

test.each([
  ['an unknown gateway', [{ gateways: [{ name: 'adyen', weight: 100 }] }], /0\.gateways\.0\.name/],
  ['an unknown market', [{ markets: ['mars'], ...share(1) }], /0\.markets\.0/],
  ['an unknown method', [{ methods: ['cash'], ...share(1) }], /0\.methods\.0/],
  ['no market at all', [{ markets: [], ...share(1) }], /0\.markets/],
  ['no gateway', [{ gateways: [] }], /0\.gateways/],
  [
    'one gateway twice',
    [
      {
        gateways: [
          { name: 'stripe', weight: 50 },
          { name: 'stripe', weight: 50 },
        ],
      },
    ],
    /names a gateway twice/,
  ],
  ['weights of 90', [{ gateways: [{ name: 'stripe', weight: 90 }] }], /do not add up to 100/],
  [
    'a rule behind one for everybody',
    [share(1), { markets: ['us'], ...share(2) }],
    /never reached/,
  ],
  [
    'a rule behind a wider one',
    [
      { markets: ['us', 'euro'], ...share(1) },
      { markets: ['us'], methods: ['card'], ...share(2) },
    ],
    /never reached/,
  ],
])('routing: %s is refused before publication', (_, routing, reason) => {
  expect(problemsOf(routing).join('\n')).toMatch(reason);
});

test('routing: a payment of a weekly plan is not routed to Braintree alone', () => {
  const weekly = {
    ...builtIn.products.monthly,
    period: 'week',
    grace_days: 3,
    versions: { 1: { prices: { USD: 14.99, EUR: 14.99 } } },
  };
  const catalog = { products: { ...builtIn.products, weekly } };
  const problems = (braintree: number, plan: string) =>
    validateDocuments({
      'config.json': configText(undefined, {
        routing: [{ markets: ['us'], ...share(50) }, braintree < 100 ? share(50) : only],
        offers: { fullPrice: { ...builtInOffer, plans: [plan] } },
      }),
      'flows.json': builtInDocuments['flows.json'],
      'catalog.json': JSON.stringify(catalog),
    }).problems.map(({ path, reason }) => `${path}: ${reason}`);
  const only = { gateways: [{ name: 'braintree', weight: 100 }] };
  expect(problems(50, 'weekly')).toEqual([]);
  expect(problems(100, 'monthly')).toEqual([]);
  expect(problems(100, 'weekly@1')).toEqual([
    'routing.1.gateways: braintree renews no week, and offers.fullPrice sells weekly@1',
  ]);
});
