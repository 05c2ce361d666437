import { expect, test } from 'vitest';
import {
  holdoutArm,
  holdoutName,
  holdoutProblems,
  holdoutState,
  holdoutVariants,
} from '../../../../worker/experiments/rules/holdout.ts';
import { bucketOf } from '../../../../worker/experiments/rules/split.ts';

const starts = '2026-12-01T00:00:00Z';
const holdout = { share: 10, version: 'v1', starts, ends: '2027-03-01T00:00:00Z' };
const [start, end] = [Date.parse(starts), Date.parse(holdout.ends)];
const name = 'holdout-2026-12-01';
const idOf = (number: number) => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`;
const ids = Array.from({ length: 20_000 }, (_, at) => idOf(at));
const variantOf = (id: string, firstSeen = start, more: object = {}, stored: string[] = []) =>
  holdoutArm(
    { ...holdout, ...more },
    { id, firstSeen },
    stored.map((variant) => ({ experiment: name, variant })),
    start + 1,
  )?.variant ?? null;
const inside = ids.find((id) => variantOf(id) === 'in') ?? '';
const outside = ids.find((id) => variantOf(id) === 'out') ?? '';

test('holdout: its share of the new visitors are members, the same ones each time', () => {
  const members = ids.filter((id) => variantOf(id) === 'in');
  expect(members.length / ids.length).toBeCloseTo(0.1, 2);
  expect(ids.filter((id) => variantOf(id) === 'in')).toEqual(members);
  // Fixed: a build that draws otherwise would move visitors.
  expect(members.slice(0, 5)).toEqual([8, 9, 12, 46, 62].map(idOf));
});

test('holdout: a smaller share keeps its members in a larger one, and 0 % has none', () => {
  for (const id of ids.slice(0, 2000)) {
    if (variantOf(id, start, { share: 2.5 }) === 'in') expect(variantOf(id)).toBe('in');
    expect(variantOf(id, start, { share: 0 })).toBe('out');
    expect(variantOf(id, start, { share: 100 })).toBe('in');
  }
});

test('holdout: the draw is independent of the split, of experiments and of the next holdout', () => {
  const members = ids.filter((id) => variantOf(id) === 'in');
  for (const other of ['split', 'share:headline', 'layer:l', 'holdout-2027-03-01']) {
    const half = members.filter((id) => bucketOf(other, id) < 50).length / members.length;
    expect(Math.abs(half - 0.5)).toBeLessThan(0.05);
  }
});

test.each<[string, number, string[], string | null, string | null]>([
  ['first seen when it starts', start, [], 'in', 'out'],
  ['first seen before', start - 1, [], null, null],
  ['with a key of an earlier build, or counted without it', 0, [], null, null],
  ['with the stored arm of an account', 0, ['in'], 'in', 'in'],
  ['with the stored arm of another draw', start, ['out'], 'out', 'out'],
  ['with a stored arm that is none', start, ['b'], 'in', 'out'],
])('holdout: a visitor %s', (_name, firstSeen, stored, ofMember, ofOther) => {
  expect([
    variantOf(inside, firstSeen, {}, stored),
    variantOf(outside, firstSeen, {}, stored),
  ]).toEqual([ofMember, ofOther]);
});

test.each([
  ['waiting', start - 1],
  ['running', start],
  ['running', end - 1],
  ['ended', end],
] as const)('holdout: is %s at %s', (state, now) => {
  expect(holdoutState(holdout, now)).toBe(state);
  const arm = holdoutArm(holdout, { id: inside, firstSeen: start }, [], now);
  expect(arm).toEqual(state === 'running' ? { experiment: name, variant: 'in' } : null);
});

test('holdout: its name fits the cookie and the counts; members are the control', () => {
  expect(holdoutName({ starts: '2026-12-01T08:30:00.000+02:00' })).toBe(name);
  expect(holdoutVariants({ share: 2.5 })).toEqual([
    { key: 'in', weight: 2.5 },
    { key: 'out', weight: 97.5 },
  ]);
});

test('holdout: refused where it ends before it starts, or has the name of another experiment', () => {
  const problems = (more: object, experiment = 'e', id = 'headline') =>
    holdoutProblems({ ...holdout, ...more }, { experiment, experiments: [{ id }] });
  expect(problems({})).toEqual([]);
  expect(problems({ ends: starts })).toEqual([['ends', 'not after the start']]);
  expect(problems({}, name).map(([field]) => field)).toEqual(['starts']);
  expect(problems({}, 'e', name).map(([field]) => field)).toEqual(['starts']);
});
