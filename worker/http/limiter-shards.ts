import murmurhash from 'murmurhash';

/** Each object takes about 1,000 calls a second. Another number forgets what was counted before. */
const shardCount = 16;

/** Names of the objects that share a limiter's counters. */
export const limiterShards: readonly string[] = Array.from(
  { length: shardCount },
  (_, at) => `${at}`,
);

/** A counter is in one object only, so that its count is exact. */
export const limiterShardOf = (counter: string): string => `${murmurhash.v3(counter) % shardCount}`;
