import type { D1Database } from '@cloudflare/workers-types';

/** For reports only, never for decisions: a nearby replica may answer, some seconds behind. */
export const replicaOf = (db: D1Database) => db.withSession('first-unconstrained');
