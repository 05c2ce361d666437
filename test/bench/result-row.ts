/** One figure beside its target. */
export interface Figure {
  what: string;
  value: number;
  /** As people read it: `≤ 75 ms`. */
  target: string;
  met: boolean;
}

/** A figure that shall not be over its target. */
export const atMost = (what: string, value: number, target: number, unit = ''): Figure => ({
  what,
  value: Math.round(value * 1000) / 1000,
  target: `≤ ${target}${unit && ` ${unit}`}`,
  met: value <= target,
});

/** A figure that shall not be under its target. */
export const atLeast = (what: string, value: number, target: number): Figure => ({
  what,
  value: Math.round(value * 1000) / 1000,
  target: `≥ ${target}`,
  met: value >= target,
});

/** Prints figures as a table for people. */
export function printFigures(figures: readonly Figure[]): void {
  console.table(figures.map(({ met, ...figure }) => ({ ...figure, met: met ? 'met' : 'missed' })));
}
