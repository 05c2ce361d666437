import { expect, test } from 'vitest';
import { drawn, simulate } from '../../../scripts/config/simulate.ts';
import { fitsWeights } from '../../../scripts/config/statistics.ts';
import { arm, configText, texts, world } from './world.ts';

const arms = [arm('a', 50), arm('b', 30), arm('c', 20), arm('d', 0)];

test('the same seed draws the same visitors, another one others', () => {
  const one = drawn('e', arms, 2000, '1');
  expect(one).toEqual(drawn('e', arms, 2000, '1'));
  expect(one).not.toEqual(drawn('e', arms, 2000, '2'));
  expect(one.reduce((sum, count) => sum + count)).toBe(2000);
  expect(one[3]).toBe(0);
});

test('the draw is fair', () => {
  const weights = arms.map(({ weight }) => weight);
  expect(fitsWeights(drawn('e', arms, 50_000, 'fair'), weights)).toBeGreaterThan(0.001);
});

test('it says the shares of what is live', async () => {
  const { context, said } = world(texts(configText(arms)));
  await simulate({}, { visitors: 1000, seed: 's' }, context);
  expect(said).toContain('1000 visitors of e, seed s');
  expect(said).toContain('arm d (flow default): weight 0 %, drawn 0.00 % (0)');
  expect(said.at(-1)).toMatch(/^chi-squared p = 0\.\d{4}: as chance would have it$/);
});
