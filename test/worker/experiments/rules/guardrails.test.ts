import { expect, test } from 'vitest';

import type { ArmFacts } from '../../../../worker/experiments/results-table.ts';
import {
  evidenceAgainst,
  guardrails,
  harmfulArms,
  noFacts,
} from '../../../../worker/experiments/rules/guardrails.ts';
import { seeded } from '../../../seeded-random.ts';

const facts = (arm: string, figures: Partial<ArmFacts>): ArmFacts => ({
  ...noFacts(arm),
  ...figures,
});

test('guardrail: the evidence is the ratio of a uniform mixture and an equal rate', () => {
  // ∫ p³ dp = 1/4, against 1/2³.
  expect(evidenceAgainst(3, 3, 0.5)).toBeCloseTo(2);
  // ∫ p⁴ (1 - p) dp = 4! 1! / 6!, against (1/4)⁴ (3/4).
  expect(evidenceAgainst(4, 5, 0.25)).toBeCloseTo(24 / 720 / (0.25 ** 4 * 0.75));
});

test('guardrail: an arm that is not above the control has no evidence against it, nor has one without events', () => {
  for (const [bad, all, share] of [
    [0, 0, 0.5],
    [50, 100, 0.5],
    [10, 100, 0.5],
    [5, 5, 1],
    [0, 5, 0],
    [1, 2, Number.NaN],
  ] as const)
    expect(evidenceAgainst(bad, all, share)).toBe(0);
});

const cases = guardrails.map(({ name, part, whole }) => ({ name, part, whole }));

test.each(cases)(
  'guardrail: $name stop an arm at twice the rate, and no other one',
  ({ name, part, whole }) => {
    const arm = (key: string, bad: number) => facts(key, { [whole]: 2000, [part]: bad });
    const all = [arm('control', 200), arm('b', 400), arm('c', 215), arm('d', 90)];
    expect(harmfulArms(all)).toEqual([{ variant: 'b', guardrail: name }]);
  },
);

test.each(cases)(
  'guardrail: $name stop an arm also where the control has none',
  ({ name, part, whole }) => {
    const arm = (key: string, bad: number) => facts(key, { [whole]: 1000, [part]: bad });
    expect(harmfulArms([arm('control', 0), arm('b', 5)])).toEqual([]);
    expect(harmfulArms([arm('control', 0), arm('b', 30)])).toEqual([
      { variant: 'b', guardrail: name },
    ]);
  },
);

test('guardrail: an arm with a smaller share is compared by its rate', () => {
  const control = facts('control', { attempts: 9000, declined: 1800 });
  expect(harmfulArms([control, facts('b', { attempts: 1000, declined: 205 })])).toEqual([]);
  expect(harmfulArms([control, facts('b', { attempts: 1000, declined: 400 })])).toHaveLength(1);
});

test('guardrail: without visitors, without a control or with one arm nothing is stopped', () => {
  expect(harmfulArms([])).toEqual([]);
  expect(harmfulArms([noFacts('control')])).toEqual([]);
  expect(harmfulArms([noFacts('control'), noFacts('b')])).toEqual([]);
});

/** Buyers with a refused card try it up to five times. @returns whether the arm was stopped */
function isStopped(random: () => number, rates: Record<'control' | 'b', number>): boolean {
  const control = facts('control', {});
  const b = facts('b', {});
  for (let buyer = 0; buyer < 4000; buyer += 1) {
    const arm = random() < 0.5 ? control : b;
    const isRefused = random() < (arm === b ? rates.b : rates.control);
    const tries = isRefused ? 1 + Math.floor(random() * 5) : 1;
    arm.attempts += tries;
    arm.declined += isRefused ? tries : 0;
    if (buyer % 20 === 0 && harmfulArms([control, b]).length > 0) return true;
  }
  return false;
}

test('guardrail: of 300 tests of equal arms at most one in a hundred is stopped, though refused buyers try again; a doubled rate is found', () => {
  const random = seeded(7);
  const stops = (b: number, count: number) =>
    Array.from({ length: count }, () => isStopped(random, { control: 0.15, b })).filter(Boolean);
  expect(stops(0.15, 300).length).toBeLessThanOrEqual(3);
  expect(stops(0.3, 40)).toHaveLength(40);
});
