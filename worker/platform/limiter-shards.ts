import murmurhash from 'murmurhash';

/** Each object handles about 1,000 calls a second. A change of this number loses the current counts. */
const shardCount = 16;

export const limiterShards: readonly string[] = Array.from(
  { length: shardCount },
  (_, at) => `${at}`,
);

/** A counter is in one object only, so that its count is exact. */
export const limiterShardOf = (counter: string): string => `${murmurhash.v3(counter) % shardCount}`;
