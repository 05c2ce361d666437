import type { Env } from '../platform/env.ts';
import type { VisitorId } from '../platform/types.ts';
import { consentDatabase, markErased } from '../visitor/consent-table.ts';
import { deleteDeadEvents } from './dead-events-table.ts';
import { eventShards } from './rules/shards.ts';

/**
 * The shards refuse the visitor's events from now on and rewrite the objects of R2 within minutes. Messages that wait in
 * queues reach neither analytics providers nor ad networks, and dead letters are deleted. Idempotent.
 */
export async function requestEventErasure(env: Env, visitor: VisitorId): Promise<void> {
  await markErased(await consentDatabase(env, visitor), visitor, Date.now());
  await deleteDeadEvents(env.DB, visitor);
  for (const shard of eventShards) await env.EVENT_SHARDS.getByName(shard).requestErasure(visitor);
}
