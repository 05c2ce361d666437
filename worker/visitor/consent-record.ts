import type { D1Database } from '@cloudflare/workers-types';
import { type Consent, insertConsent } from './consent-table.ts';

/** Ms between tries: with four that get no answer, what may still run after an answer is used up. */
const pauses = [500, 2000, 6000];

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Keeps a choice even where D1 is down for some seconds, and once, however many tries it takes.
 *
 * @param now when it was made, ms since 1970
 * @throws what the last try threw
 */
export async function recordConsent(
  db: D1Database,
  consent: Consent,
  now: number,
  wait: (ms: number) => Promise<void> = pause,
): Promise<void> {
  const id = crypto.randomUUID();
  for (const ms of pauses) {
    try {
      return await insertConsent(db, consent, now, id);
    } catch {
      await wait(ms);
    }
  }
  await insertConsent(db, consent, now, id);
}
