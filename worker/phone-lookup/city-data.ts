import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import { shard, shardOf } from './data-shards.ts';
import type { Point } from './rules/city-offset.ts';

/** How many files hold the cities. */
export const cityShards = 320;

const undivided: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ı: 'i', ß: 'ss', æ: 'ae' };

/** A city's name without what people write differently: case, accents, spaces, signs. */
export function cityKey(country: string, name: string): string {
  const plain = name.toLowerCase().replace(/[łøđıßæ]/g, (letter) => undivided[letter] ?? letter);
  const bare = plain.normalize('NFD').replace(/[^\p{L}\p{Nd}]/gu, '');
  return `${country.toUpperCase()}/${bare}`;
}

/** Where a city is, by its name in English or at home; null when the list does not have it. */
export async function findCity(
  env: Env,
  city: string,
  country: string,
  log: Log,
): Promise<Point | null> {
  const key = cityKey(country, city);
  const name = `cities/${shardOf(key, cityShards)}`;
  const [lat, lng] = (await shard<Record<string, number[]>>(env, name, log))?.[key] ?? [];
  return lat === undefined || lng === undefined ? null : { lat, lng };
}
