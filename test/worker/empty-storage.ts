import { applyD1Migrations, env, reset } from 'cloudflare:test';

/** Empties every binding, closes the Durable Objects' files and makes the tables anew. */
export async function emptyStorage(): Promise<void> {
  await reset();
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  await applyD1Migrations(env.ANALYTICS, env.ANALYTICS_MIGRATIONS);
}
