import * as v from 'valibot';
import { expect, test } from 'vitest';
import {
  experimentsIn,
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
  expect(found.plan).toEqual({ metric: 'revenue', secondary: ['purchases'], isOver: false });
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
