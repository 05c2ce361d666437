import * as v from 'valibot';
import { expect, test } from 'vitest';
import {
  experimentsIn,
  plannedHoldout,
  plannedTest,
} from '../../../../../worker/console/experiments/rules/experiment-plan.ts';
import { builtInDocuments } from '../../../../../worker/experiments/rules/config-documents.ts';
import { experimentsSchema } from '../../../../../worker/experiments/rules/experiments-schema.ts';

const now = Date.UTC(2026, 11, 10);
const variants = [
  { key: 'control', weight: 50 },
  { key: 'b', weight: 50, changes: { flow: 'short' } },
];
const planned = (more: object) => {
  const written = { id: 'headline', hypothesis: 'H', metric: 'revenue', variants, ...more };
  const [found] = v.parse(experimentsSchema, { experiments: [written] }).experiments;
  return plannedTest(found ?? expect.fail(), now);
};

test('experiment plan: the first variant, the shares and the metrics come from the document', () => {
  const found = planned({ secondary: ['purchases'] });
  expect(found.plan).toMatchObject({ metric: 'revenue', secondary: ['purchases'], isOver: false });
  expect(found.variants).toEqual([
    { key: 'control', weight: 50, flow: '' },
    { key: 'b', weight: 50, flow: 'short' },
  ]);
});

test.each([
  [{}, false],
  [{ ends: '2026-12-20T00:00:00Z' }, false],
  [{ ends: '2026-12-10T00:00:00Z' }, true],
  [{ winner: 'b' }, true],
])('experiment plan: with %j it is over: %s', (more, isOver) =>
  expect(planned(more).plan.isOver).toBe(isOver),
);

test.each([null, '', '{', '{"experiments":[{"id":"headline"}]}'])(
  'experiment plan: there are no experiments in %j',
  (text) => expect(experimentsIn({ ...builtInDocuments, 'experiments.json': text })).toEqual([]),
);

const stopped = (weight: number) => ({
  at: '2026-12-09T10:20:00Z',
  guardrail: 'Declines per attempt',
  weight,
});

test('experiment plan: a test whose only other arm was stopped ended in that hour, with the shares until then', () => {
  const arms = [
    { key: 'control', weight: 100 },
    { key: 'b', weight: 0, stopped: stopped(33.3) },
  ];
  const found = planned({ variants: arms });
  expect(found.plan).toMatchObject({ isOver: true, isUneven: false });
  expect(found.plan.stops).toContain('“b” was stopped on 2026-12-09: its declines per attempt');
  const shares = [
    { key: 'control', weight: 66.7, flow: '' },
    { key: 'b', weight: 33.3, flow: '' },
  ];
  expect(found.end).toMatchObject({ at: Date.UTC(2026, 11, 9, 10), variants: shares });
});

test.each([
  [0, { isOver: false, isUneven: true }],
  [20, { isOver: false, isUneven: false, stops: '' }],
])('experiment plan: with another arm left and a share of %i it goes on', (weight, plan) => {
  const arms = [
    { key: 'control', weight: 60 - weight },
    { key: 'b', weight, stopped: stopped(20) },
    { key: 'c', weight: 40 },
  ];
  const found = planned({ variants: arms });
  expect(found.plan).toMatchObject(plan);
  expect(found.end).toBeNull();
});

test('experiment plan: a holdout is judged by revenue, and its members are the control', () => {
  const period = { share: 5, version: 'v', starts: '2026-12-01T00:00:00Z' };
  const found = plannedHoldout({ ...period, ends: '2026-12-20T00:00:00Z' }, now);
  const plan = { metric: 'revenue', secondary: ['purchases'], isOver: false };
  expect(found.plan).toMatchObject(plan);
  expect(found.variants.map(({ key, weight }) => [key, weight])).toEqual([
    ['in', 5],
    ['out', 95],
  ]);
  const ended = plannedHoldout({ ...period, ends: '2026-12-05T00:00:00Z' }, now);
  expect(ended.plan.isOver).toBe(true);
});
