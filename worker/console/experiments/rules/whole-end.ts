import { dayMs, hourMs } from '../../../platform/durations.ts';

/** Visits by hour are kept for 22 days; the oldest may be in deletion. */
const hoursReachMs = 21 * dayMs;

/** The start of the hour of `time`; after three weeks, of its UTC day. Ms since 1970. */
export function wholeEnd(time: number, now: number): number {
  const unit = now - time < hoursReachMs ? hourMs : dayMs;
  return Math.floor(time / unit) * unit;
}
