import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Arm } from '../../../../worker/experiments/rules/arms.ts';
import {
  mergedChanges,
  stateOf,
  variantsFor,
} from '../../../../worker/experiments/rules/experiment-arms.ts';
import type { Experiment } from '../../../../worker/experiments/rules/experiments-schema.ts';
import { bucketOf } from '../../../../worker/experiments/rules/split.ts';
import { seeded } from '../../../seeded-random.ts';
import { experimentOf, experimentsOf, written } from '../experiment-of.ts';

const now = Date.parse('2026-12-10T00:00:00Z');
const visitor = (id: string, more: object = {}) => ({
  ...{ id, country: 'US', language: 'en', platform: 'ios', source: '', placement: '' },
  ...{ campaign: '', isNew: true },
  ...more,
});

const random = seeded(7);
const uuids = Array.from({ length: 4000 }, () =>
  'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () =>
    Math.floor(random() * 16).toString(16),
  ),
);

const armsOf = (
  experiments: readonly Experiment[],
  id: string,
  stored: readonly Arm[] = [],
  more: object = {},
) =>
  variantsFor(experiments, visitor(id, more), stored, now).map(({ experiment, variant, counts }) =>
    [experiment.id, variant.key, ...(counts ? [] : ['not counted'])].join(' '),
  );

const b = [{ experiment: 'e', variant: 'b' }];
const weights = (...all: number[]) => ({
  variants: all.map((weight, at) => ({ key: ['control', 'b', 'c'][at], weight })),
});
/** A visitor whom the draw gives this variant of `e`. */
const drawn = (key: string) => {
  const found = uuids.find((id) => armsOf([experimentOf('e')], id)[0] === `e ${key}`);
  if (!found) throw new Error('none');
  return found;
};

test.each([
  [{}, 'running'],
  [{ starts: '2026-12-10T00:00:00Z' }, 'running'],
  [{ starts: '2026-12-10T00:00:01Z' }, 'waiting'],
  [{ ends: '2026-12-10T00:00:00Z' }, 'ended'],
  [{ ends: '2026-12-10T00:00:01Z' }, 'running'],
  [{ winner: 'b' }, 'ended'],
  [{ winner: 'b', starts: '2027-01-01T00:00:00Z' }, 'ended'],
])('experiments: with %o it is %s', (dates, state) => {
  expect(stateOf(experimentOf('e', dates), now)).toBe(state);
});

const past = '2026-12-01T00:00:00Z';
const later = '2026-12-20T00:00:00Z';
const others = { targeting: { countries: ['DE'] } };

describe('experiments: what a visitor gets', () => {
  test.each<[name: string, more: object, fresh: string[], stored: string[]]>([
    ['running', {}, ['e control'], ['e b']],
    ['not started', { starts: later }, [], []],
    ['ended with a winner', { winner: 'b' }, ['e b not counted'], ['e b not counted']],
    [
      'ended with control as its winner',
      { winner: 'control' },
      ['e control not counted'],
      ['e control not counted'],
    ],
    [
      'ended without a winner',
      { ends: past },
      ['e control not counted'],
      ['e control not counted'],
    ],
    ['weights changed', weights(99, 1), ['e control'], ['e b']],
    ['the visitor’s variant stopped', weights(100, 0), ['e control'], ['e control not counted']],
    ['all to the other variant', weights(0, 100), ['e b'], ['e b']],
    ['share 0', { share: 0 }, [], ['e b']],
    ['targeting changed', others, [], ['e b']],
    ['targeting changed, ended with a winner', { ...others, winner: 'b' }, [], ['e b not counted']],
    ['layer added', { layer: 'l' }, ['e control'], ['e b']],
    [
      'the variant renamed',
      {
        variants: [
          { key: 'control', weight: 50 },
          { key: 'x', weight: 50 },
        ],
      },
      ['e control'],
      ['e control'],
    ],
  ])('%s', (_, more, fresh, stored) => {
    const all = [experimentOf('e', more)];
    const id = drawn('control');
    expect([armsOf(all, id), armsOf(all, id, b)]).toEqual([fresh, stored]);
  });

  test('removed: nothing', () => {
    expect(armsOf([], drawn('control'), b)).toEqual([]);
  });
});

test('experiments: a layer’s visitor whose variant is stored is in no other experiment of it', () => {
  const all = experimentsOf(
    written('a', { layer: 'l', share: 50 }),
    written('e', { layer: 'l', share: 50 }),
    written('free'),
  );
  for (const id of uuids.slice(0, 500)) {
    expect(armsOf(all, id).filter((arm) => !arm.startsWith('free'))).toHaveLength(1);
    expect(armsOf(all, id, b).filter((arm) => !arm.startsWith('free'))).toEqual(['e b']);
  }
  // Those who were in both before the layer was added stay in both.
  const both = [...b, { experiment: 'a', variant: 'control' }];
  expect(armsOf(all, uuids[0] ?? '', both).slice(0, 2)).toEqual(['a control', 'e b']);
});

test('experiments: each takes its share, a layer’s experiments take theirs one after the other', () => {
  const all = experimentsOf(
    written('a', { layer: 'l', share: 20 }),
    written('b', { layer: 'l', share: 12.5 }),
    written('c', { layer: 'l', share: 67.5 }),
    written('d', { share: 30 }),
  );
  const seen = uuids.map((id) => armsOf(all, id).map((arm) => arm.split(' ')[0] ?? ''));
  const share = (name: string) =>
    seen.filter((names) => names.includes(name)).length / uuids.length;
  expect(share('a')).toBeCloseTo(0.2, 1);
  expect(share('b')).toBeCloseTo(0.125, 1);
  expect(share('c')).toBeCloseTo(0.675, 1);
  expect(share('d')).toBeCloseTo(0.3, 1);
  for (const names of seen) expect(names.filter((name) => name !== 'd')).toHaveLength(1);
  const at = bucketOf('layer:l', uuids[0] ?? '');
  expect(seen[0]?.[0]).toBe(at < 20 ? 'a' : at < 32.5 ? 'b' : 'c');
});

test('experiments: a greater share keeps those who are in', () => {
  for (const id of uuids.slice(0, 500)) {
    const [few, many] = [10, 40].map((share) => armsOf([experimentOf('e', { share })], id));
    if (few?.length) expect(many).toEqual(few);
  }
});

test('experiments: the draws never change', () => {
  const id = '5d6c3c5e-8a0e-4b6f-9d5f-0a1b2c3d4e5f';
  // Visitors without a cookie would change variants.
  expect(['a', 'b', 'share:a', 'layer:l'].map((salt) => bucketOf(salt, id))).toEqual([
    17.84, 51.47, 16.34, 46.95,
  ]);
  expect(armsOf(experimentsOf(written('a'), written('b')), id)).toEqual(['a control', 'b b']);
});

const variantsOf = (key: string, changes: object) => ({
  variants: [
    { key: 'control', weight: 0 },
    { key, weight: 100, changes },
  ],
});
const texts = (title: string, more: object = {}) => ({ en: { title, ...more } });

test('experiments: of flow, offer and theme the first that changes it wins; texts are all kept', () => {
  const all = experimentsOf(
    written('a', variantsOf('x', { flow: 'short', texts: texts('one') })),
    written(
      'b',
      variantsOf('x', { flow: 'long', offer: 'intro', theme: 'found', texts: texts('two') }),
    ),
    written('c', variantsOf('x', { offer: 'other' })),
  );
  expect(mergedChanges(variantsFor(all, visitor('v'), [], now))).toEqual({
    flow: 'short',
    offer: 'intro',
    theme: 'found',
    texts: [
      { arm: 'a:x', texts: texts('one') },
      { arm: 'b:x', texts: texts('two') },
    ],
  });
  expect(mergedChanges([])).toEqual({ texts: [] });
});

const anyExperiment = fc.record({
  share: fc.integer({ min: 0, max: 10_000 }).map((share) => share / 100),
  first: fc.integer({ min: 0, max: 100 }),
  layer: fc.constantFrom(undefined, 'l'),
  state: fc.constantFrom({}, { winner: 'b' }, { ends: past }, { starts: later }),
  isStored: fc.boolean(),
});

test('experiments: a visitor has at most one variant of each, in the document’s order; those that count run and have a weight', () => {
  fc.assert(
    fc.property(fc.array(anyExperiment, { maxLength: 10 }), fc.uuid(), (drafts, id) => {
      const all = drafts.map(({ share, first, layer, state }, at) =>
        experimentOf(`e${at}`, {
          share,
          ...(layer && { layer }),
          ...state,
          ...weights(first, 100 - first),
        }),
      );
      const stored = drafts.flatMap(({ isStored }, at) =>
        isStored ? [{ experiment: `e${at}`, variant: 'b' }] : [],
      );
      const given = variantsFor(all, visitor(id), stored, now);
      const places = given.map(({ experiment }) => all.indexOf(experiment));
      expect(places).toEqual([...new Set(places)].sort((one, other) => one - other));
      for (const { experiment, variant, counts } of given) {
        expect(experiment.variants).toContain(variant);
        if (counts)
          expect([stateOf(experiment, now), variant.weight > 0]).toEqual(['running', true]);
      }
      // The same visitor gets the same again, also with what a cookie stores.
      const counted = given.filter(({ counts }) => counts);
      const cookie = counted.map(({ experiment, variant }) => ({
        experiment: experiment.id,
        variant: variant.key,
      }));
      const again = variantsFor(all, visitor(id), [...stored, ...cookie], now);
      expect(again.filter(({ counts }) => counts)).toEqual(counted);
    }),
  );
});
