import type { Env } from '../env.ts';
import type { VisitorId } from '../types.ts';
import { eventShards } from './rules/shards.ts';

/** The shards refuse the visitor's events from now on and rewrite the objects of R2 within minutes. Idempotent. */
export async function requestEventErasure(env: Env, visitor: VisitorId): Promise<void> {
  for (const shard of eventShards) await env.EVENT_SHARDS.getByName(shard).requestErasure(visitor);
}
