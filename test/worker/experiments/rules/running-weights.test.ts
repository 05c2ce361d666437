import { expect, test } from 'vitest';
import { runningWeights } from '../../../../worker/experiments/rules/running-weights.ts';

const now = Date.UTC(2026, 11, 10);
const variants = [
  { key: 'control', weight: 70 },
  { key: 'b', weight: 30, changes: { flow: 'short' } },
];
const found = (more: object) =>
  runningWeights(JSON.stringify({ experiments: [{ id: 'headline', variants, ...more }] }), now);

test('sample ratio: the weights of an experiment beside the split are those of the document', () =>
  expect(found({})).toEqual([{ experiment: 'headline', weights: { control: 70, b: 30 } }]));

test.each([
  [{ starts: '2026-12-10T00:00:00Z' }, 1],
  [{ starts: '2026-12-11T00:00:00Z' }, 0],
  [{ ends: '2026-12-11T00:00:00Z' }, 1],
  [{ ends: '2026-12-10T00:00:00Z' }, 0],
  [{ winner: 'b' }, 0],
])('sample ratio: with %j %s experiments run', (more, count) =>
  expect(found(more)).toHaveLength(count),
);

test.each([null, undefined, '', '{', '{"experiments":{}}'])(
  'sample ratio: none run in %j',
  (text) => expect(runningWeights(text, now)).toEqual([]),
);
