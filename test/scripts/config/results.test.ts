import { expect, test } from 'vitest';
import { tableOf, verdictLines } from '../../../scripts/config/results.ts';
import { countByArm, simulate } from '../../../scripts/config/simulate.ts';
import { type ArmFacts, factsOf } from '../../../worker/experiments/results-table.ts';
import { fitsWeights } from '../../../worker/experiments/rules/statistics.ts';
import { arm, commandContext, configText, texts } from './command-context.ts';

const variants = [
  { key: 'fullPrice', weight: 50, flow: 'default' },
  { key: 'intro/7d', weight: 50, flow: 'default' },
];

const facts = (arm: string, visitors: number, purchases: number, more: Partial<ArmFacts> = {}) => ({
  arm,
  visitors,
  signUps: 2 * purchases,
  purchases,
  attempts: purchases,
  declined: 0,
  failed: 0,
  returned: 0,
  crashed: 0,
  revenue: {},
  squares: {},
  ...more,
});

const cells = (line: string | undefined) => line?.split(/ {2,}/).map((cell) => cell.trim());

test('results: a row per arm, with interval, p against the first arm, and revenue', () => {
  const [title, head, ...rows] = tableOf('prices', variants, [
    facts('intro/7d', 99, 12, { revenue: { USD: 8388, EUR: -5 } }),
    facts('fullPrice', 83, 5),
  ]);
  expect(title).toBe('Experiment prices; p against fullPrice');
  expect(cells(head)?.slice(0, 3)).toEqual(['arm', 'weight', 'visitors']);
  expect(rows.map(cells)).toEqual([
    ['fullPrice', '50 %', '83', '10', '5', '6.02 %', '2.60 % – 13.34 %', '–', '–'],
    [
      'intro/7d',
      '50 %',
      '99',
      '24',
      '12',
      '12.12 %',
      '7.07 % – 20.00 %',
      '0.1592',
      '-0.05 EUR, 83.88 USD',
    ],
  ]);
});

test('results: arms without visitors and removed arms have rows', () => {
  const rows = tableOf('prices', variants, [facts('older', 10, 1)])
    .slice(2)
    .map(cells);
  expect(rows).toEqual([
    ['fullPrice', '50 %', '0', '0', '0', '–', '–', '–', '–'],
    ['intro/7d', '50 %', '0', '0', '0', '–', '–', '–', '–'],
    ['older', 'removed', '10', '2', '1', '10.00 %', '1.79 % – 40.42 %', '–', '–'],
  ]);
});

test('results: an alarm is printed when the visitors do not match the weights', () => {
  const alarm = (one: number, two: number) =>
    tableOf('prices', variants, [facts('fullPrice', one, 0), facts('intro/7d', two, 0)])
      .join(' ')
      .includes('ALARM');
  // Chi-squared 10.83 is p = 0.001.
  expect(alarm(5000, 5320)).toBe(false);
  expect(alarm(5000, 5340)).toBe(true);
  expect(alarm(11, 0)).toBe(true);
  expect(alarm(0, 0)).toBe(false);
});

test('results: an ended test shows the end of its figures, or that visitors are still counted', () => {
  const linesAt = (...weights: number[]) => {
    const split = weights.map((weight, at) => arm(`v${at}`, weight));
    return tableOf('prices', split, [facts('v0', 10, 1)]).join(' ');
  };
  expect(linesAt(0, 100)).toContain('for “v1” only, so the comparison is no longer fair');
  expect(linesAt(60, 40)).not.toContain('has ended');
  expect(linesAt(60, 40, 0)).not.toContain('has ended');
  expect(linesAt(100)).not.toContain('has ended');
  const ended = tableOf('prices', [arm('v0', 100), arm('v1', 0)], [facts('v0', 10, 1)], 0);
  expect(ended.slice(-2)).toEqual([
    'The test has ended: every new visitor gets “v0”. Later visits and payments are not counted.',
    'Counted until 1970-01-01T00:00:00.000Z.',
  ]);
});

test('results: current conclusions, and how many more visitors are needed', () => {
  const lines = verdictLines(variants, [facts('fullPrice', 1000, 30), facts('intro/7d', 900, 60)]);
  expect(lines[0]).toMatch(
    /^intro\/7d, sign-ups per visitor: (Undecided|Better): [+−]\d+(\.\d+)?%, between /,
  );
  expect(lines[1]).toMatch(
    /^intro\/7d, purchases per visitor: (Undecided|Better): [+−]\d+(\.\d+)?%, between /,
  );
  // R: power.prop.test(p1 = 0.03, p2 = 0.033, power = 0.8) gives n = 53210.
  expect(lines.at(-1)).toMatch(
    /^To detect a tenth more purchases: about 523\d\d more visitors per arm\.$/,
  );
  expect(verdictLines(variants.slice(0, 1), [facts('fullPrice', 10, 1)])).toEqual([]);
});

test('results: revenue per visitor, in one currency at the rates of config.json', () => {
  const paid = (name: string, visitors: number, revenue: Record<string, number>) =>
    facts(name, visitors, 30, { revenue, squares: { USD: 1e8, EUR: 1e8 } });
  const rows = [
    paid('fullPrice', 1000, { USD: 100_000 }),
    paid('intro/7d', 1000, { USD: 100_000, EUR: 50_000 }),
  ];
  const reporting = { currency: 'USD', date: '2026-11-20', rates: { EUR: 1.1 } } as const;
  const lines = verdictLines(variants, rows, reporting);
  expect(lines[0]).toBe(
    'Revenue per visitor: fullPrice 1.00 USD, intro/7d 1.55 USD at 1 EUR = 1.1 USD of 2026-11-20',
  );
  expect(lines[3]).toMatch(
    /^intro\/7d, revenue per visitor: Undecided: [+−]\d+(\.\d+)?%, between −/,
  );
  expect(verdictLines(variants, rows)[0]).toBe(
    'For revenue per visitor give the rates of EUR, USD in "reporting" of config.json.',
  );
});

test('results: rows of the queries become facts by arm', () => {
  const facts = factsOf([
    [
      { arm: 'intro/7d', count: 40 },
      { arm: 'fullPrice', count: 50 },
    ],
    [{ arm: 'fullPrice', count: 9 }],
    [{ arm: 'fullPrice', count: 3 }],
    [
      { arm: 'fullPrice', currency: 'USD', count: 11_997, squares: 48_000_000 },
      { arm: 'fullPrice', currency: 'EUR', count: 2999 },
      { arm: 'older', currency: 'USD', count: 1 },
    ],
    [
      { arm: 'fullPrice', step: 'attempt', count: 5 },
      { arm: 'fullPrice', step: 'declined', count: 2 },
      { arm: 'fullPrice', step: 'refund', count: 1 },
      { arm: 'fullPrice', step: 'dispute', count: 1 },
    ],
  ]);
  const none = {
    visitors: 0,
    signUps: 0,
    purchases: 0,
    attempts: 0,
    declined: 0,
    failed: 0,
    returned: 0,
    crashed: 0,
  };
  expect(facts).toEqual([
    {
      arm: 'fullPrice',
      visitors: 50,
      signUps: 9,
      purchases: 3,
      attempts: 5,
      declined: 2,
      failed: 0,
      returned: 2,
      crashed: 0,
      revenue: { USD: 11_997, EUR: 2999 },
      squares: { USD: 48_000_000, EUR: 0 },
    },
    { ...none, arm: 'intro/7d', visitors: 40, revenue: {}, squares: {} },
    { ...none, arm: 'older', revenue: { USD: 1 }, squares: { USD: 0 } },
  ]);
});

const arms = [arm('a', 50), arm('b', 30), arm('c', 20), arm('d', 0)];

test('simulate: the same seed gives the same visitors', () => {
  const one = countByArm('e', arms, 2000, '1');
  expect(one).toEqual(countByArm('e', arms, 2000, '1'));
  expect(one).not.toEqual(countByArm('e', arms, 2000, '2'));
  expect(one.reduce((sum, count) => sum + count)).toBe(2000);
  expect(one[3]).toBe(0);
});

test('simulate: the assignment follows the weights', () => {
  const weights = arms.map(({ weight }) => weight);
  expect(fitsWeights(countByArm('e', arms, 50_000, 'fair'), weights)).toBeGreaterThan(0.001);
});

test('simulate: prints the shares of the live arms', async () => {
  const { context, printed } = commandContext(texts(configText(arms)));
  await simulate({}, { visitors: 1000, seed: 's' }, context);
  expect(printed).toContain('1000 visitors of e, seed s');
  expect(printed).toContain('arm d (flow default): weight 0 %, assigned 0.00 % (0)');
  expect(printed.at(-1)).toMatch(/^chi-squared p = 0\.\d{4}: the shares follow the weights$/);
});

test('results: renewals are a column of their own and in the revenue per visitor', () => {
  const facts = factsOf([
    [{ arm: 'fullPrice', count: 50 }],
    [],
    [],
    [
      { arm: 'fullPrice', currency: 'USD', count: 3999, squares: 1, renewal: 0 },
      { arm: 'fullPrice', currency: 'USD', count: 7998, squares: 9, renewal: 1 },
    ],
    [],
  ]);
  expect(facts[0]).toMatchObject({
    revenue: { USD: 3999 },
    squares: { USD: 1 },
    renewals: { USD: 7998 },
    renewalSquares: { USD: 9 },
  });
  const [, titles, row] = tableOf('prices', variants, facts);
  expect([titles, row].map((line) => line?.split(/ {2,}/).slice(-2))).toEqual([
    ['revenue', 'renewals'],
    ['39.99 USD', '79.98 USD'],
  ]);
  expect(verdictLines(variants, facts)[0]).toContain('fullPrice 2.40 USD');
});
