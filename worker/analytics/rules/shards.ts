import { hashOf } from './id-set.ts';

/**
 * Each shard handles 250 million visits a month; `worker/costs.md` says when to add some. Adding shards moves
 * visitors: events that are waiting then may be counted twice.
 */
const shardCount = 4;

export const eventShards: readonly string[] = Array.from(
  { length: shardCount },
  (_, at) => `${at}`,
);

/** All events of a visitor are in one shard. */
export const shardOf = (visitor: string): string => `${hashOf(visitor)[0] % shardCount}`;
