import type { D1Database } from '@cloudflare/workers-types';
import * as v from 'valibot';

const schema = v.object({
  id: v.pipe(v.string(), v.uuid()),
  experiment: v.string(),
  arm: v.string(),
  /** Ms since 1970. */
  at: v.pipe(v.number(), v.safeInteger()),
});

export type Exposure = v.InferOutput<typeof schema>;

const dedupRetentionMs = 3 * 24 * 60 * 60 * 1000;

export function parseExposures(bodies: readonly unknown[]): Exposure[] {
  return bodies.filter((body) => v.is(schema, body));
}

/** Once per id; on an error none is counted. @param now ms since 1970 */
export async function countExposures(
  db: D1Database,
  exposures: readonly Exposure[],
  now: number,
): Promise<void> {
  await db.batch([
    db.prepare('DELETE FROM exposure_dedup WHERE seen_at < ?').bind(now - dedupRetentionMs),
    db
      .prepare(
        `INSERT INTO exposure_dedup (id, experiment, arm, seen_at)
         SELECT value ->> 'id', value ->> 'experiment', value ->> 'arm', value ->> 'at'
         FROM json_each(?) WHERE true
         ON CONFLICT (id) DO NOTHING`,
      )
      .bind(JSON.stringify(exposures)),
  ]);
}
