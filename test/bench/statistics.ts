/** The median, the lower one of two; NaN for an empty list. */
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;

/** The median of each figure, to three digits. */
export function medians<Of extends { [Name in keyof Of]: number }>(rounds: readonly Of[]): Of {
  const names = Object.keys(rounds[0] ?? {}) as (keyof Of)[];
  const middle = (name: keyof Of) => median(rounds.map((round) => round[name]));
  return Object.fromEntries(
    names.map((name) => [name, Math.round(middle(name) * 1000) / 1000]),
  ) as Of;
}

/** Memory growth, from samples in MB at even steps of a load. */
export function growth(samples: readonly number[]) {
  const quarter = samples.length / 4;
  const third = median(samples.slice(2 * quarter, 3 * quarter));
  const last = median(samples.slice(-quarter));
  return {
    'first MB': samples[0] ?? 0,
    'third quarter MB': third,
    'last quarter MB': last,
    /** 1 means flat: memory that is filled during warm-up does not count. */
    growth: last / third,
  };
}
