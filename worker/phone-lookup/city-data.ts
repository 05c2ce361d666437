import type { Env } from '../platform/env.ts';
import type { Log } from '../platform/log.ts';
import { dataShardOf, readShard } from './data-shards.ts';
import type { Coordinates } from './rules/city-offset.ts';

export const cityShards = 320;

/** Letters that NFD does not decompose. */
const replacements: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ı: 'i', ß: 'ss', æ: 'ae' };

export function cityKey(country: string, name: string): string {
  const plain = name.toLowerCase().replace(/[łøđıßæ]/g, (letter) => replacements[letter] ?? letter);
  const bare = plain.normalize('NFD').replace(/[^\p{L}\p{Nd}]/gu, '');
  return `${country.toUpperCase()}/${bare}`;
}

export async function findCity(
  env: Env,
  city: string,
  country: string,
  log: Log,
): Promise<Coordinates | null> {
  const key = cityKey(country, city);
  const name = `cities/${dataShardOf(key, cityShards)}`;
  const [lat, lng] = (await readShard<Record<string, number[]>>(env, name, log))?.[key] ?? [];
  return lat === undefined || lng === undefined ? null : { lat, lng };
}
