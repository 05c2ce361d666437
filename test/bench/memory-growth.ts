import { median } from './median.ts';

/** How memory grew, from samples in MB at even steps of a load. */
export function growth(samples: readonly number[]) {
  const quarter = samples.length / 4;
  const third = median(samples.slice(2 * quarter, 3 * quarter));
  const last = median(samples.slice(-quarter));
  return {
    'first MB': samples[0] ?? 0,
    'third quarter MB': third,
    'last quarter MB': last,
    /** Flat is 1: what is learned at first is kept, and nothing more. */
    growth: last / third,
  };
}
