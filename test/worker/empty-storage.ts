import { applyD1Migrations, env, reset } from 'cloudflare:test';
import { everyAccountDatabase } from '../../worker/platform/account-databases.ts';

/** Empties every binding, closes the Durable Objects' files and makes the tables anew. */
export async function emptyStorage(): Promise<void> {
  await reset();
  for (const db of everyAccountDatabase(env)) await applyD1Migrations(db, env.MIGRATIONS);
  await applyD1Migrations(env.ANALYTICS, env.ANALYTICS_MIGRATIONS);
}
