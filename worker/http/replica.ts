import type { D1Database } from '@cloudflare/workers-types';

/** What reports read: a replica near by may answer, some seconds behind. Never for what decides. */
export const replicaOf = (db: D1Database) => db.withSession('first-unconstrained');
