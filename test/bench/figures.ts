import type { Loaded } from './load.ts';
import type { NavigationTimes } from './navigation-timing.ts';
import { median } from './statistics.ts';
import type { TypingResult } from './typing.ts';

/** One figure beside its target. */
export interface Figure {
  what: string;
  value: number;
  /** As text: `≤ 75`. */
  target: string;
  met: boolean;
}

/** A figure with an upper limit. */
export const atMost = (what: string, value: number, target: number): Figure => ({
  what,
  value: Math.round(value * 1000) / 1000,
  target: `≤ ${target}`,
  met: value <= target,
});

/** A figure with a lower limit. */
export const atLeast = (what: string, value: number, target: number): Figure => ({
  what,
  value: Math.round(value * 1000) / 1000,
  target: `≥ ${target}`,
  met: value >= target,
});

/** Prints figures as a table. */
export function printFigures(figures: readonly Figure[]): void {
  console.table(figures.map(({ met, ...figure }) => ({ ...figure, met: met ? 'met' : 'missed' })));
}

const kilo = 1024;

/** The targets of a landing page, compared with its baseline. */
export function landingFigures(id: string, page: Loaded, baseline: Loaded): Figure[] {
  const named = (what: string) => `${id}: ${what}`;
  return [
    atMost(named('first paint (FCP), of the baseline’s'), page.fcp / baseline.fcp, 1),
    atMost(named('largest paint (LCP), of the baseline’s'), page.lcp / baseline.lcp, 1.02),
    atMost(named('blocking time, ms'), page.blocking, 75),
    atMost(named('longest task, ms'), page.longest, 100),
    atMost(named('layout shift'), page.shift, 0),
    atMost(named('before the largest paint, KB'), page.early / kilo, 60),
    atMost(named('unexpected files before it'), page.unexpected, 0),
    atMost(named('at 5 s, KB'), page.bytes / kilo, 140),
    atMost(named('prefetched, KB'), page.ahead / kilo, 60),
  ];
}

/** The targets for a visitor's first touch; for lost input the worst round counts. */
export const earlyFigures = (id: string, typed: readonly TypingResult[]): Figure[] => [
  atMost(`${id}: typed characters lost`, Math.max(...typed.map(({ lost }) => lost)), 0),
  // A touch without an observed response has no known duration.
  atMost(
    `${id}: first touch answered, ms`,
    median(typed.map(({ touch }) => touch || Infinity)),
    200,
  ),
];

/** The targets for navigation. */
export const moveFigures = (of: NavigationTimes): Figure[] => [
  atMost('Locate to next heading, of the baseline’s page change', of.locate / of.baseline, 0.3),
  atMost('to the sign-up, of the baseline’s page change', of.signup / of.signupBaseline, 0.3),
  atMost('checkout’s first paint, ms from its start', of.checkout, 400),
  atLeast('plan and price readable in it', of.priced, 1),
];
