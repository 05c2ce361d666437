import { readD1Migrations } from '@cloudflare/vitest-plugin';
import type { Miniflare } from 'miniflare';

const folders = { DB: 'worker/migrations', ANALYTICS: 'worker/analytics/migrations' };

/** Creates the tables of a local server without state. */
export async function migrate(server: Miniflare): Promise<void> {
  for (const [binding, folder] of Object.entries(folders)) {
    const db = await server.getD1Database(binding, 'funnel');
    for (const { queries } of await readD1Migrations(folder)) {
      await db.batch(queries.map((sql) => db.prepare(sql)));
    }
  }
}
