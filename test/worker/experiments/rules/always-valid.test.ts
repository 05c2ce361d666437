import { expect, test } from 'vitest';
import {
  amountSample,
  liftInterval,
  meanInterval,
  minEvents,
  shareSample,
} from '../../../../worker/experiments/rules/always-valid.ts';
import { seeded } from '../../../seeded-random.ts';

const rounded = (interval: ReturnType<typeof liftInterval>) =>
  interval && Object.values(interval).map((value) => Number(value.toFixed(5)));

// The expected numbers of GrowthBook's own tests of its sequential test, packages/stats/tests/frequentist.
test('always-valid interval: shares give the published numbers', () => {
  const interval = liftInterval(shareSample(1396, 3000), shareSample(2422, 3461));
  expect(rounded(interval)).toEqual([0.50386, 0.40098, 0.60675]);
});

test('always-valid interval: amounts give the published numbers', () => {
  const control = amountSample(1396.87, 52_377.9767, 3000);
  const treated = amountSample(2422.7, 134_698.29, 3461);
  const interval = liftInterval(control, treated, { tunedFor: 1000 });
  expect(rounded(interval)).toEqual([0.50336, -0.55844, 1.56516]);
});

test('always-valid interval: is narrowest near the number of visitors that it is tuned for', () => {
  const [control, treated] = [shareSample(300, 3000), shareSample(350, 3461)];
  const width = (tunedFor: number) => {
    const { low = 0, high = 0 } = liftInterval(control, treated, { tunedFor }) ?? {};
    return high - low;
  };
  expect(width(6461)).toBeLessThan(width(10));
  expect(width(6461)).toBeLessThan(width(100_000));
});

test('always-valid interval: widens with a smaller error probability', () => {
  const [control, treated] = [shareSample(300, 3000), shareSample(350, 3461)];
  const [loose, strict] = [0.05, 0.01].map((alpha) => liftInterval(control, treated, { alpha }));
  expect(strict?.low).toBeLessThan(loose?.low ?? 0);
  expect(strict?.high).toBeGreaterThan(loose?.high ?? 0);
});

test.each([
  ['no visitors', shareSample(0, 0), shareSample(1, 10)],
  ['none of the other variant', shareSample(1, 10), shareSample(0, 0)],
  ['no conversions to compare with', shareSample(0, 10), shareSample(1, 10)],
  ['nothing that varies', shareSample(10, 10), shareSample(10, 10)],
  ['one visitor each', amountSample(5, 25, 1), amountSample(5, 25, 1)],
])('always-valid interval: none with %s', (_what, control, treated) => {
  expect(liftInterval(control, treated)).toBeNull();
});

test('always-valid interval: a sample with one amount or none has no variance', () => {
  expect(amountSample(5, 25, 1)).toEqual({ count: 1, mean: 5, variance: 0 });
  expect(amountSample(0, 0, 0)).toEqual({ count: 0, mean: 0, variance: 0 });
  expect(amountSample(3, 5, 2)).toEqual({ count: 2, mean: 1.5, variance: 0.5 });
});

test('always-valid interval: with daily looks at equal variants it misses the true value in at most one of twenty runs', () => {
  const random = seeded(7);
  const share = 0.1;
  let missed = 0;
  const experiments = 200;
  for (let experiment = 0; experiment < experiments; experiment++) {
    const counts = [0, 0];
    let visitors = 0;
    for (let day = 0; day < 30; day++) {
      for (let visitor = 0; visitor < 200; visitor++) {
        counts.forEach((count, arm) => {
          counts[arm] = count + (random() < share ? 1 : 0);
        });
      }
      visitors += 200;
      const [a = 0, b = 0] = counts;
      const interval = liftInterval(shareSample(a, visitors), shareSample(b, visitors));
      if (interval && (interval.low > 0 || interval.high < 0)) {
        missed++;
        break;
      }
    }
  }
  expect(missed / experiments).toBeLessThanOrEqual(0.05);
});

test('always-valid interval: with daily looks at one mean it misses the true value in at most one of twenty runs', () => {
  const random = seeded(3);
  let missed = 0;
  const samples = 400;
  for (let sample = 0; sample < samples; sample++) {
    let [visitors, buyers, misses] = [0, 0, 0];
    while (visitors < 6000) {
      for (let visitor = 0; visitor < 200; visitor++) buyers += random() < 0.1 ? 1 : 0;
      visitors += 200;
      if (buyers < minEvents) continue;
      const interval = meanInterval(shareSample(buyers, visitors));
      if (interval && (interval.low > 0.1 || interval.high < 0.1)) misses++;
    }
    missed += Math.min(1, misses);
  }
  expect(missed / samples).toBeLessThanOrEqual(0.05);
  expect(missed).toBeGreaterThan(0);
  expect(meanInterval(shareSample(0, 10))).toBeNull();
});

test('always-valid interval: with daily looks at equal variants with few buyers and very different amounts it misses in at most one of twenty runs', () => {
  const random = seeded(11);
  const amounts = [699, 999, 1799, 3999];
  let missed = 0;
  const experiments = 200;
  for (let experiment = 0; experiment < experiments; experiment++) {
    const sums = [0, 0];
    const squares = [0, 0];
    const buyers = [0, 0];
    let visitors = 0;
    for (let day = 0; day < 20; day++) {
      for (let visitor = 0; visitor < 300; visitor++) {
        for (const arm of [0, 1]) {
          if (random() >= 0.05) continue;
          const amount = amounts[Math.floor(random() * amounts.length)] ?? 0;
          buyers[arm] = (buyers[arm] ?? 0) + 1;
          sums[arm] = (sums[arm] ?? 0) + amount;
          squares[arm] = (squares[arm] ?? 0) + amount ** 2;
        }
      }
      visitors += 300;
      if (Math.min(...buyers) < minEvents) continue;
      const [a, b] = [0, 1].map((arm) => amountSample(sums[arm] ?? 0, squares[arm] ?? 0, visitors));
      const interval = a && b ? liftInterval(a, b) : null;
      if (interval && (interval.low > 0 || interval.high < 0)) {
        missed++;
        break;
      }
    }
  }
  expect(missed / experiments).toBeLessThanOrEqual(0.05);
});
