export type ChartPoint = readonly [x: number, y: number];

export interface Scale {
  domain: readonly [number, number];
  at: (value: number) => number;
}

export const linear = (
  domain: readonly [number, number],
  [from, to]: readonly [number, number],
): Scale => ({
  domain,
  at: (value) => from + ((value - domain[0]) / (domain[1] - domain[0])) * (to - from),
});

/** A factor, and the square from which it is nearer than the next smaller one. */
const steps = [
  [10, 50],
  [5, 10],
  [2, 2],
] as const;

/** The step of about so many ticks: 1, 2 or 5 times a power of ten. */
function stepOf(low: number, high: number, count: number): number {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = steps.find(([, square]) => (rough / power) ** 2 >= square)?.[0] ?? 1;
  return factor * power;
}

/** The range that begins and ends at a tick. */
export function nice(low: number, high: number, count: number): [number, number] {
  const step = stepOf(low, high, count);
  return [Math.floor(low / step) * step, Math.ceil(high / step) * step];
}

export function ticksIn(low: number, high: number, count: number): number[] {
  const step = stepOf(low, high, count);
  const [first, last] = [Math.ceil(low / step), Math.floor(high / step + 1e-9)];
  // Without the error of 3 * 0.1.
  return Array.from({ length: last - first + 1 }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  );
}

/** A path of straight lines; two decimals are finer than a pixel. */
export const line = (points: readonly ChartPoint[]): string =>
  points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${+x.toFixed(2)},${+y.toFixed(2)}`).join('');
