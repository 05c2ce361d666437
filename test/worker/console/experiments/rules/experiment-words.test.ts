import * as v from 'valibot';
import { expect, test } from 'vitest';
import { stateWord } from '../../../../../worker/console/experiments/rules/experiment-plan.ts';
import {
  experimentSentences,
  whoText,
} from '../../../../../worker/console/experiments/rules/experiment-words.ts';
import {
  type Experiment,
  experimentsSchema,
} from '../../../../../worker/experiments/rules/experiments-schema.ts';

const now = Date.UTC(2026, 11, 10);
const variants = [
  { key: 'control', weight: 50 },
  { key: 'b', weight: 50 },
];
const read = (more: object = {}): Experiment => {
  const written = { id: 'headline', hypothesis: 'H', metric: 'purchases', variants, ...more };
  const [found] = v.parse(experimentsSchema, { experiments: [written] }).experiments;
  return found ?? expect.fail();
};

test.each([
  [{}, 'all visitors'],
  [{ share: 20 }, '20% of all visitors'],
  [
    { targeting: { countries: ['DE', 'AT'], languages: ['de'], placements: ['instagram'] } },
    'visitors in Germany or Austria who read German from ads on Instagram',
  ],
  [
    { targeting: { visitors: 'new', devices: ['mobile'], campaigns: ['spring'] } },
    'new visitors on phones of the campaign spring',
  ],
])('experiment words: %j admits %s', (more, text) => expect(whoText(read(more))).toBe(text));

test('experiment words: a review says who takes part in what is new or changed', () => {
  const [old, ended] = [read(), read({ id: 'x', winner: 'b' })];
  expect(experimentSentences([old], [old, ended], now)).toEqual([]);
  expect(experimentSentences([old], [read({ share: 50 })], now)).toEqual([
    '50% of all visitors take part in “headline”: 50% “control”, 50% “b”.',
  ]);
});

test.each([
  [{}, 'running'],
  [{ starts: '2026-12-20T00:00:00Z' }, 'waiting'],
  [{ winner: 'control' }, 'ended'],
  [{ ends: '2026-12-09T00:00:00Z' }, 'ended'],
  [{ share: 0 }, 'stopped'],
  [
    {
      variants: [
        { key: 'control', weight: 100 },
        { key: 'b', weight: 0 },
      ],
    },
    'stopped',
  ],
])('experiment words: the state of %j is %s', (more, state) =>
  expect(stateWord(read(more), now)).toBe(state),
);
