import { expect, test } from 'vitest';
import {
  countedGroup,
  estimatesOf,
  type PlannedTest,
  type Traffic,
} from '../../../../../worker/console/experiments/rules/estimates.ts';
import { newDraft } from '../../../../../worker/console/experiments/rules/experiment-draft.ts';
import { shareSample } from '../../../../../worker/experiments/rules/always-valid.ts';

const half: PlannedTest = {
  ...{ filters: {}, who: 'visitors', uncounted: [], metric: 'purchases', weights: [50, 50] },
  comparisons: 1,
};
const traffic = (visitors: number, events: number, more: Partial<Traffic> = {}): Traffic => ({
  ...{ visitors, events, days: 14, sample: shareSample(events, visitors), amount: '' },
  ...more,
});
const linesOf = (planned: Partial<PlannedTest>, seen: Traffic) =>
  estimatesOf({ ...half, ...planned }, seen);
const lengthOf = (planned: Partial<PlannedTest>, seen: Traffic) =>
  /, ((about|more|less)[^,]+)\.$/.exec(linesOf(planned, seen).at(-1) ?? '')?.[1];

test('estimates: the visitors of a day, and how long a tenth and a fifth more take to be seen', () => {
  expect(linesOf({}, traffic(14_000, 420))).toEqual([
    'New in the last 14 days: 14,000 visitors, 1,000 a day.',
    'A difference of 10% in purchases per visitor, now 3%: 53,211 visitors for each variant, about 15 weeks.',
    'A difference of 20% in purchases per visitor, now 3%: 13,914 visitors for each variant, about four weeks.',
  ]);
});

test('estimates: of revenue, by its variance among visitors', () => {
  const sample = { count: 14_000, mean: 100, variance: 250_000 };
  const seen = traffic(14_000, 420, { sample, amount: '$1.00' });
  // 2 × 250,000 × (1.96 + 0.8416)² / 20²
  expect(linesOf({ metric: 'revenue' }, seen).at(-1)).toBe(
    'A difference of 20% in revenue per visitor, now $1.00: 9,812 visitors for each variant, about three weeks.',
  );
});

test.each([
  ['a small variant takes longer', { weights: [90, 10] }, 'about 20 weeks'],
  ['a share of the visitors takes longer', { weights: [5, 5] }, 'about 40 weeks'],
  ['a variant without visitors does not matter', { weights: [50, 50, 0] }, 'about four weeks'],
  ['more comparisons take longer', { comparisons: 4 }, 'about six weeks'],
  ['a tiny share takes more than a year', { weights: [1, 1] }, 'more than a year'],
])('estimates: %s', (_, planned, length) =>
  expect(lengthOf(planned, traffic(14_000, 420))).toBe(length),
);

test('estimates: days since counting began are the measure of a new site', () => {
  const seen = traffic(14_000, 420, { days: 1 });
  expect(linesOf({}, seen)[0]).toContain('14,000 a day');
  expect(lengthOf({}, seen)).toBe('less than a week');
});

test('estimates: a single variant has no estimate', () =>
  expect(linesOf({ weights: [100] }, traffic(700, 70))).toEqual([]));

test.each([
  [0, 0],
  [700, 0],
  [700, 9],
])('estimates: %d visitors and %d purchases are not enough to say', (visitors, events) => {
  const lines = linesOf({}, traffic(visitors, events));
  expect(lines.slice(1)).toEqual(['Not enough traffic yet to say how long the test takes.']);
});

test('estimates: a lift that exceeds a share of 100 percent is left out', () =>
  expect(linesOf({}, traffic(100, 88))).toHaveLength(2));

const { targeting } = newDraft('');

test('estimates: what is counted narrows the group, and what is not is said', () => {
  const own = {
    ...{ countries: ['DE', 'AT'], languages: ['de'], devices: ['mobile'], platforms: [] },
    ...{ sources: [], placements: ['instagram', 'facebook', 'youtube'], campaigns: ['spring'] },
  };
  const group = countedGroup(own, 'returning');
  expect(group).toEqual({
    filters: {
      ...{ country: ['DE', 'AT'], language: ['de'], device: ['ios', 'android'] },
      source: ['meta', 'google'],
    },
    who: 'visitors in Germany or Austria who read German on phones from ads on Meta or Google',
    uncounted: ['Instagram', 'Facebook', 'YouTube', 'campaigns', 'returning visitors'],
  });
  expect(linesOf(group, traffic(700, 9))[1]).toBe(
    'Not counted by themselves: Instagram, Facebook, YouTube, campaigns, returning visitors. So fewer visitors may take part, and the test may take longer.',
  );
});

test.each([
  [{}, '', {}],
  [{ sources: ['tiktok'] }, 'new', { source: ['tiktok'] }],
  [{ devices: ['mobile'], platforms: ['ios'] }, '', { device: ['ios'] }],
  [{ devices: ['desktop'] }, '', { device: ['desktop'] }],
  [{ platforms: ['android'] }, '', { device: ['android'] }],
])('estimates: all of %j of visitors “%s” is counted', (own, visitors, filters) => {
  const group = countedGroup({ ...targeting, ...own }, visitors);
  expect([group.filters, group.uncounted]).toEqual([filters, []]);
});
