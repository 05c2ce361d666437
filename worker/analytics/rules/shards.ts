import { hashOf } from './id-set.ts';

/**
 * Each takes 250 million visits a month; `worker/costs.md` says when there should be more. Adding some
 * moves visitors: events that wait meanwhile may be counted twice.
 */
const shardCount = 4;

export const eventShards: readonly string[] = Array.from(
  { length: shardCount },
  (_, at) => `${at}`,
);

/** All events of a visitor are in one shard. */
export const shardOf = (visitor: string): string => `${hashOf(visitor)[0] % shardCount}`;
