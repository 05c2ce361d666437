import { expect, test } from 'vitest';
import {
  runningWeights,
  stoppedArms,
} from '../../../../worker/experiments/rules/running-weights.ts';

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

const stopped = { at: '2026-12-09T00:00:00Z', guardrail: 'Declines per attempt' };
const [control, b] = [
  { key: 'control', weight: 70 },
  { key: 'b', weight: 0, stopped },
];
const inSplit = (arm: object) => ({
  'config.json': JSON.stringify({ experiment: 'prices', variants: [control, arm] }),
});
const beside = (arm: object) => ({
  'experiments.json': JSON.stringify({
    experiments: [{ id: 'headline', variants: [control, arm] }],
  }),
});

test.each([
  ['the split', inSplit, 'prices'],
  ['an experiment beside it', beside, 'headline'],
])(
  'stopped arm: one of %s is named until somebody gives it a share',
  (_where, written, experiment) => {
    const { guardrail } = stopped;
    const own = { experiment, variant: 'b', guardrail, at: Date.UTC(2026, 11, 9) };
    expect(stoppedArms(written(b))).toEqual([own]);
    expect(stoppedArms(written({ ...b, weight: 30 }))).toEqual([]);
    expect(stoppedArms(written({ key: 'b', weight: 0 }))).toEqual([]);
  },
);

test.each<Record<string, string | null>>([
  {},
  { 'config.json': null },
  { 'config.json': '{', 'experiments.json': '[]' },
])('stopped arm: none in %j', (documents) => expect(stoppedArms(documents)).toEqual([]));

test.each([
  ['2026-12-01T00:00:00Z', '2026-12-20T00:00:00Z', 1],
  ['2026-12-11T00:00:00Z', '2026-12-20T00:00:00Z', 0],
  ['2026-12-01T00:00:00Z', '2026-12-10T00:00:00Z', 0],
])('sample ratio: of a holdout from %s to %s the shares are %s', (starts, ends, count) => {
  const text = JSON.stringify({ experiments: [], holdout: { share: 5, starts, ends } });
  expect(runningWeights(text, now)).toEqual(
    [{ experiment: 'holdout-2026-12-01', weights: { in: 5, out: 95 } }].slice(0, count),
  );
});
