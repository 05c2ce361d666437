import type { Env } from '../env.ts';
import type { VisitorId } from '../types.ts';
import { consentDatabase, markErased } from '../visitor/consent-table.ts';
import { eventShards } from './rules/shards.ts';

/**
 * The shards refuse the visitor's events from now on and rewrite the objects of R2 within minutes. Messages that wait in
 * queues reach neither analytics providers nor ad networks. Idempotent.
 */
export async function requestEventErasure(env: Env, visitor: VisitorId): Promise<void> {
  await markErased(await consentDatabase(env, visitor), visitor, Date.now());
  for (const shard of eventShards) await env.EVENT_SHARDS.getByName(shard).requestErasure(visitor);
}
