import type { D1Database } from '@cloudflare/workers-types';
import * as v from 'valibot';

const schema = v.object({
  /** Random; says nothing about the visitor. */
  id: v.pipe(v.string(), v.uuid()),
  experiment: v.string(),
  arm: v.string(),
  /** Ms since 1970. */
  at: v.pipe(v.number(), v.safeInteger()),
});

/** That a visitor was shown an arm, once a visitor, experiment and arm. */
export type Exposure = v.InferOutput<typeof schema>;

/** A message may come again for this long, in ms; the queue gives it up sooner. */
const remembered = 3 * 24 * 60 * 60 * 1000;

/** The bodies of messages that are exposures; the others can never be counted. */
export function parseExposures(bodies: readonly unknown[]): Exposure[] {
  return bodies.filter((body) => v.is(schema, body));
}

/**
 * Counts exposures, each id once however often it comes; all of them or, on an error, none.
 *
 * @param now ms since 1970
 */
export async function countExposures(
  db: D1Database,
  exposures: readonly Exposure[],
  now: number,
): Promise<void> {
  await db.batch([
    db.prepare('DELETE FROM exposure_ids WHERE at < ?').bind(now - remembered),
    db
      .prepare(
        `INSERT INTO exposure_ids (id, experiment, arm, at)
         SELECT value ->> 'id', value ->> 'experiment', value ->> 'arm', value ->> 'at'
         FROM json_each(?) WHERE true
         ON CONFLICT (id) DO NOTHING`,
      )
      .bind(JSON.stringify(exposures)),
  ]);
}
