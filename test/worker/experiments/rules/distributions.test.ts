import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  chiSquaredTail,
  normalCdf,
  normalQuantile,
} from '../../../../worker/experiments/rules/distributions.ts';

// R 4.4: pnorm(x) and qnorm(p).
test.each([
  [-20, 2.753624118606234e-89],
  [-6, 9.865876450376946e-10],
  [-1.959963984540054, 0.025],
  [0, 0.5],
  [0.8416212335729143, 0.8],
  [1.644853626951472, 0.95],
  [3.090232306167813, 0.999],
])('distributions: normal, %d has a probability of %d below it', (x, p) => {
  expect(normalCdf(x) / p).toBeCloseTo(1, 12);
  expect(normalQuantile(p)).toBeCloseTo(x, 10);
});

// R 4.4: qchisq(p, df, lower.tail = FALSE).
test.each([
  [3.841458820694124, 1, 0.05],
  [10.827566170662733, 1, 0.001],
  [5.991464547107979, 2, 0.05],
  [9.487729036781154, 4, 0.05],
  [18.307038053275146, 10, 0.05],
])(
  'distributions: chi-squared, more than %d of %d degrees has a probability of %d',
  (x, degrees, p) => expect(chiSquaredTail(x, degrees)).toBeCloseTo(p, 12),
);

test('distributions: at the ends of the scale the probability is 0 or 1', () => {
  expect([chiSquaredTail(0, 3), chiSquaredTail(1e9, 3)]).toEqual([1, 0]);
  expect([normalCdf(-60), normalCdf(60)]).toEqual([0, 1]);
});

test('distributions: a quantile is the inverse of its probability', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true }), (p) => {
      expect(Math.abs(normalCdf(normalQuantile(p)) - p)).toBeLessThan(1e-12);
    }),
  );
});

test('distributions: a chi-squared tail falls with x, for every number of degrees', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.double({ min: 0, max: 300, noNaN: true }),
      (degrees, x) => {
        const tail = chiSquaredTail(x, degrees);
        expect(tail).toBeGreaterThanOrEqual(0);
        expect(tail).toBeLessThanOrEqual(1);
        expect(chiSquaredTail(x + 1, degrees)).toBeLessThanOrEqual(tail + 1e-12);
      },
    ),
  );
});
