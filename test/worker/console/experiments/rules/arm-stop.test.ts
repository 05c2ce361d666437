import { expect, test } from 'vitest';
import {
  runningTests,
  withStop,
} from '../../../../../worker/console/experiments/rules/arm-stop.ts';
import { validated } from '../../../../../worker/experiments/config-set.ts';

const now = Date.UTC(2026, 11, 10);
const flow = 'default';
const flows = { 'flows.json': JSON.stringify({ flows: {} }) };
const arms = (weights: Record<string, number>) =>
  Object.entries(weights).map(([key, weight]) => ({ key, weight }));
const split = (weights: Record<string, number>) =>
  JSON.stringify({
    experiment: 'prices',
    variants: arms(weights).map((one) => ({ ...one, flow })),
    bank_methods: ['ideal'],
  });
const headline = { id: 'headline', hypothesis: 'h', metric: 'purchases' };
const beside = (weights: Record<string, number>, more: object = {}) =>
  JSON.stringify({ experiments: [{ ...headline, variants: arms(weights), ...more }] });

function testsIn(config: string, experiments: string) {
  const { set } = validated({ ...flows, 'config.json': config, 'experiments.json': experiments });
  if (!set) throw new Error('not valid');
  return runningTests(set, now).map(({ experiment, arms }) => [experiment, ...arms].join(' '));
}

const shipped = { a: 0, b: 100 };
const two = { a: 60, b: 40 };
const three = { control: 40, b: 30, c: 30 };

test.each([
  ['both', two, three, {}, ['prices a b', 'headline control b c']],
  [
    'an arm without visitors',
    two,
    { control: 40, b: 60, c: 0 },
    {},
    ['prices a b', 'headline control b'],
  ],
  ['everybody in one arm', { a: 100, b: 0 }, { control: 0, b: 100 }, {}, []],
  ['a control without visitors', shipped, { control: 0, b: 50, c: 50 }, {}, []],
  ['a test that ended', two, three, { ends: '2026-12-10T00:00:00Z' }, ['prices a b']],
  ['a test with a winner', two, three, { winner: 'b' }, ['prices a b']],
  ['a test that waits', two, three, { starts: '2026-12-11T00:00:00Z' }, ['prices a b']],
])('guardrail: running tests with %s', (_what, config, experiments, more, found) =>
  expect(testsIn(split(config), beside(experiments, more))).toEqual(found),
);

const harm = { variant: 'b', guardrail: 'Declines per attempt' };
const stopped = { at: '2026-12-10T00:00:00.000Z', guardrail: 'Declines per attempt' };

test('guardrail: a stopped arm of the split gives its share to the control; the rest of the document stays', () => {
  const documents = { ...flows, 'config.json': split({ a: 33.4, b: 33.3, c: 33.3 }) };
  const next = withStop(documents, { experiment: 'prices', ...harm }, now);
  expect(validated(next).problems).toEqual([]);
  expect(JSON.parse(next['config.json'] ?? '')).toEqual({
    experiment: 'prices',
    variants: [
      { key: 'a', weight: 66.7, flow },
      { key: 'b', weight: 0, flow, stopped: { ...stopped, weight: 33.3 } },
      { key: 'c', weight: 33.3, flow },
    ],
    bank_methods: ['ideal'],
  });
});

test('guardrail: a stopped arm of an experiment beside the split leaves the others as they are', () => {
  const other = { ...headline, id: 'other', variants: arms(two) };
  const experiments = [{ ...headline, variants: arms(three) }, other];
  const documents = {
    ...flows,
    'config.json': split(two),
    'experiments.json': JSON.stringify({ experiments }),
  };
  const next = withStop(documents, { experiment: 'headline', ...harm }, now);
  expect(validated(next).problems).toEqual([]);
  const variants = [
    { key: 'control', weight: 70 },
    { key: 'b', weight: 0, stopped: { ...stopped, weight: 30 } },
    { key: 'c', weight: 30 },
  ];
  expect(JSON.parse(next['experiments.json'] ?? '').experiments).toEqual([
    { ...headline, variants },
    other,
  ]);
});
