import { surge } from './card-limits.ts';

/** Decisions of ten seconds that one limiter saw. Counts only grow, so a repeated report changes nothing. */
export interface DecisionBucket {
  /** Number of the ten seconds since 1970. */
  bucket: number;
  declined: number;
  decided: number;
}

export const bucketMs = 10_000;

/** Between two reports of one limiter. */
export const reportIntervalMs = 5_000;

export const bucketOf = (at: number): number => Math.floor(at / bucketMs);

/** The first that counts: the window is up to one bucket longer than `surge.windowMs`. */
export const firstBucket = (now: number): number => bucketOf(now - surge.windowMs);
