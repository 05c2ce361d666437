import { cityShards } from '../../../worker/phone-lookup/city-data.ts';
import { shardOf } from '../../../worker/phone-lookup/data-shards.ts';
import type { Point } from '../../../worker/phone-lookup/rules/city-offset.ts';

/** Spreads names and their points over the files of the offline geocoder: each file's JSON. */
export function cityFiles(points: Map<string, Point>): Map<string, string> {
  const shards = Array.from({ length: cityShards }, (): Record<string, number[]> => ({}));
  for (const [key, { lat, lng }] of points) {
    const shard = shards[shardOf(key, cityShards)];
    if (shard) shard[key] = [Number(lat.toFixed(4)), Number(lng.toFixed(4))];
  }
  return new Map(shards.map((shard, at) => [String(at), JSON.stringify(shard)]));
}
