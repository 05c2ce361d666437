import { readSlice, writeSlice } from '../storage/state-storage.ts';

/** How much silence ends a visit, ms (specification, section 9). */
const silence = 30 * 60 * 1000;

interface Visit {
  id: string;
  /** Whether this moment begins it. */
  begins: boolean;
}

/**
 * The visit that something at `now` (ms since 1970) belongs to: the last one, or a new one after
 * half an hour in which nothing happened.
 */
export function sessionAt(now: number): Visit {
  const { id, last } = readSlice('visit') as { id?: string; last?: number };
  const goes = id !== undefined && last !== undefined && now - last < silence;
  const visit = { id: goes ? id : crypto.randomUUID(), begins: !goes };
  writeSlice('visit', { id: visit.id, last: Math.max(now, goes ? last : 0) });
  return visit;
}
