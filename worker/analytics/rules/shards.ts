import type { VisitorId } from '../../platform/types.ts';
import { hashOf } from './id-set.ts';

/** 250 million visits a month each (`worker/operators/costs.md`). A change moves visitors: waiting events may count twice. */
const shardCount = 4;

export const eventShards: readonly string[] = Array.from(
  { length: shardCount },
  (_, at) => `${at}`,
);

/** All events of a visitor are in one shard. */
export const shardOf = (visitor: VisitorId): string => `${hashOf(visitor)[0] % shardCount}`;
