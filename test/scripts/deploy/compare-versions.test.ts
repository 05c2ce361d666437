import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Figures, reasonsToRollBack } from '../../../scripts/deploy/compare-versions.ts';

const share = (successes: number, trials: number) => ({ successes, trials });
const figures = (more: Partial<Figures> = {}): Figures => ({
  errors: share(10, 10_000),
  vitals: { LCP: share(1500, 10_000) },
  steps: { signup: share(2000, 10_000), checkout: share(1000, 2000) },
  ...more,
});

/** Successes of `trials` draws, from a seeded generator. */
function draws(trials: number, rate: number, random: () => number): number {
  let successes = 0;
  for (let i = 0; i < trials; i += 1) if (random() < rate) successes += 1;
  return successes;
}

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

describe('judge: the newer version is rolled back', () => {
  test.each<[string, Partial<Figures>, string]>([
    [
      'when more of its requests fail',
      { errors: share(10, 500) },
      'errors: 2.0 % of 500; the old version 0.1 % of 10000',
    ],
    [
      'when more of its pages are slow',
      { vitals: { LCP: share(150, 500) } },
      'LCP: 30.0 % of 500; the old version 15.0 % of 10000',
    ],
    [
      'when fewer of its visitors take a step',
      { steps: { signup: share(50, 500) } },
      'signup: 10.0 % of 500; the old version 20.0 % of 10000',
    ],
  ])('%s', (_when, more, reason) => {
    expect(reasonsToRollBack(figures(more), figures())).toEqual([reason]);
  });
});

describe('judge: the rollout continues with the newer version', () => {
  test.each<[string, Partial<Figures>]>([
    ['when it is better', { errors: share(0, 500), steps: { signup: share(250, 500) } }],
    ['with ten visitors', { steps: { signup: share(0, 10) } }],
    ['with a difference that is worth nothing', { vitals: { LCP: share(157_500, 1_000_000) } }],
    ['with a step that the old version has not got', { steps: { extra: share(0, 10_000) } }],
    ['without figures', { errors: share(0, 0), vitals: {}, steps: {} }],
  ])('%s', (_when, more) => {
    expect(reasonsToRollBack(figures(more), figures())).toEqual([]);
  });

  test('of 1,000 rollouts of an identical version, each checked 30 times, at most 20 are rolled back', () => {
    let rolledBack = 0;
    for (let seed = 1; seed <= 1000; seed += 1) {
      const random = randomFrom(seed);
      const [newer, older] = [share(0, 0), share(0, 0)];
      const isStopped = Array.from({ length: 30 }, () => {
        newer.trials += 50;
        newer.successes += draws(50, 0.2, random);
        older.trials += 200;
        older.successes += draws(200, 0.2, random);
        const [mine, theirs] = [newer, older].map((signup) => figures({ steps: { signup } }));
        return mine && theirs ? reasonsToRollBack(mine, theirs).length > 0 : false;
      }).some(Boolean);
      if (isStopped) rolledBack += 1;
    }
    expect(rolledBack).toBeLessThanOrEqual(20);
  });

  test('of 100 versions that lose a third of the sign-ups, at least 95 are rolled back within 3,000 visitors', () => {
    let rolledBack = 0;
    for (let seed = 1; seed <= 100; seed += 1) {
      const random = randomFrom(seed);
      const newer = figures({ steps: { signup: share(draws(1500, 0.133, random), 1500) } });
      const older = figures({ steps: { signup: share(draws(28_500, 0.2, random), 28_500) } });
      if (reasonsToRollBack(newer, older).length > 0) rolledBack += 1;
    }
    expect(rolledBack).toBeGreaterThanOrEqual(95);
  });

  test('judge: a version is never worse than itself, whatever the figures', () => {
    const any = fc
      .record({ trials: fc.nat(100_000), part: fc.double({ min: 0, max: 1, noNaN: true }) })
      .map(({ trials, part }) => share(Math.floor(trials * part), trials));
    const all = fc.record({
      errors: any,
      vitals: fc.dictionary(fc.string(), any),
      steps: fc.dictionary(fc.string(), any),
    });
    fc.assert(fc.property(all, (same) => reasonsToRollBack(same, same).length === 0));
  });
});
