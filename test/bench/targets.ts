import type { Loaded } from './load.ts';
import { median } from './median.ts';
import type { Moves } from './navigation-timing.ts';
import { atLeast, atMost, type Figure } from './result-row.ts';
import type { Typed } from './typing.ts';

const kilo = 1024;

/** What a landing page is held to, beside its floor. */
export function landingFigures(id: string, page: Loaded, floor: Loaded): Figure[] {
  const named = (what: string) => `${id}: ${what}`;
  return [
    atMost(named('first paint (FCP), of the floor’s'), page.fcp / floor.fcp, 1),
    atMost(named('largest paint (LCP), of the floor’s'), page.lcp / floor.lcp, 1.02),
    atMost(named('blocking time, ms'), page.blocking, 75),
    atMost(named('longest task, ms'), page.longest, 100),
    atMost(named('layout shift'), page.shift, 0),
    atMost(named('before the largest paint, KB'), page.early / kilo, 60),
    atMost(named('strangers before it'), page.strays, 0),
    atMost(named('at 5 s, KB'), page.bytes / kilo, 140),
    atMost(named('fetched ahead, KB'), page.ahead / kilo, 60),
  ];
}

/** What is asked of a visitor's first touch; of what is lost the worst round counts. */
export const earlyFigures = (id: string, typed: readonly Typed[]): Figure[] => [
  atMost(`${id}: typed characters lost`, Math.max(...typed.map(({ lost }) => lost)), 0),
  // Of a touch that was never seen answered nobody knows how long it took.
  atMost(
    `${id}: first touch answered, ms`,
    median(typed.map(({ touch }) => touch || Infinity)),
    200,
  ),
];

/** What is asked of the way on. */
export const moveFigures = (of: Moves): Figure[] => [
  atMost('Locate to next heading, of the floor’s page change', of.locate / of.floor, 0.3),
  atMost('to the sign-up, of the floor’s page change', of.signup / of.signupFloor, 0.3),
  atMost('checkout’s first paint, ms from its start', of.checkout, 400),
  atLeast('plan and price readable in it', of.priced, 1),
];
