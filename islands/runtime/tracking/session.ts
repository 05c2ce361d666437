import { readSlice, writeSlice } from '../storage/state-storage.ts';

/** Inactivity that ends a session (specification, section 9). */
const timeoutMs = 30 * 60 * 1000;

interface Session {
  id: string;
  begins: boolean;
}

/** The session at `now` (ms since 1970): the last one, or a new one after 30 min of inactivity. */
export function sessionAt(now: number): Session {
  const { id, last } = readSlice('visit') as { id?: string; last?: number };
  const goes = id !== undefined && last !== undefined && now - last < timeoutMs;
  const visit = { id: goes ? id : crypto.randomUUID(), begins: !goes };
  writeSlice('visit', { id: visit.id, last: Math.max(now, goes ? last : 0) });
  return visit;
}
