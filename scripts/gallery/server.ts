import { readD1Migrations } from '@cloudflare/vitest-plugin';
import { createFakes } from '../../test/fakes/index.ts';
import { developmentVars } from '../development-vars.ts';
import { serve } from '../serve.ts';

/**
 * The built funnel on a free port, with an outside world of its own and nothing in its memory.
 *
 * @returns its origin, and how to end it
 */
export async function openServer(): Promise<{ origin: string; close: () => Promise<void> }> {
  const server = serve({
    port: 0,
    vars: developmentVars,
    outside: createFakes().fetch,
    said: () => {},
  });
  const { origin } = await server.ready;
  const db = await server.getD1Database('DB', 'funnel');
  for (const { queries } of await readD1Migrations('worker/migrations')) {
    await db.batch(queries.map((sql) => db.prepare(sql)));
  }
  return { origin, close: () => server.dispose() };
}
