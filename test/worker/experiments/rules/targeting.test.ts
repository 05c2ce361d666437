import { expect, test } from 'vitest';
import {
  type ExperimentVisitor,
  isEligible,
} from '../../../../worker/experiments/rules/targeting.ts';
import { experimentOf } from '../experiment-of.ts';

type Targeting = Parameters<typeof isEligible>[0]['targeting'];

const german: ExperimentVisitor = {
  id: '5d6c3c5e-8a0e-4b6f-9d5f-0a1b2c3d4e5f',
  country: 'DE',
  language: 'de',
  platform: 'ios',
  source: 'meta',
  placement: 'instagram',
  campaign: 'Spring',
  isNew: true,
};

/** Each part of a targeting with a value that admits this visitor, and one that does not. */
const parts = [
  ['countries', ['DE', 'AT'], ['US']],
  ['languages', ['de'], ['en', 'fr']],
  ['devices', ['mobile'], ['desktop']],
  ['platforms', ['ios'], ['android']],
  ['sources', ['meta', 'google'], ['tiktok']],
  ['placements', ['instagram'], ['facebook']],
  ['campaigns', ['spring'], ['summer']],
  ['visitors', 'new', 'returning'],
] as const;

const admits = (targeting: object, visitor = german) =>
  isEligible(experimentOf('e', { targeting }), visitor);

test('targeting: nothing admits everybody', () => {
  expect(admits({})).toBe(true);
  const unknown = { ...german, platform: 'other', source: '', placement: '', campaign: '' };
  expect(admits({}, unknown)).toBe(true);
  for (const [part, value] of parts.slice(2, 7)) {
    expect([part, admits({ [part]: value }, unknown)]).toEqual([part, false]);
  }
});

test('targeting: of all 6,561 combinations of parts that fit, do not fit and are absent, those admit that have none that does not fit', () => {
  const count = 3 ** parts.length;
  for (let at = 0; at < count; at += 1) {
    const choices = parts.map((_, index) => Math.floor(at / 3 ** index) % 3);
    const targeting = Object.fromEntries(
      parts.flatMap(([part, ...values], index) => {
        const value = values[(choices[index] ?? 0) - 1];
        return value === undefined ? [] : [[part, value]];
      }),
    );
    expect([targeting, isEligible({ targeting: targeting as Targeting }, german)]).toEqual([
      targeting,
      !choices.includes(2),
    ]);
  }
});

test.each([
  ['ios', ['mobile'], true],
  ['android', ['mobile'], true],
  ['desktop', ['mobile'], false],
  ['desktop', ['desktop'], true],
  ['other', ['mobile', 'desktop'], false],
])('targeting: a visitor with %s on devices %j: %s', (platform, devices, expected) => {
  expect(admits({ devices }, { ...german, platform })).toBe(expected);
});

test('targeting: a returning visitor is not new', () => {
  const returning = { ...german, isNew: false };
  expect([
    admits({ visitors: 'returning' }, returning),
    admits({ visitors: 'new' }, returning),
  ]).toEqual([true, false]);
});
