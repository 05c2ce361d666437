import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import { shard } from './data-shards.ts';

/** What numbers that begin alike tell; each table is read by the longest prefix that it has. */
export interface NumberShard {
  words: string[];
  /** What follows the shard's own prefix, and which word is known of it. */
  place: Record<string, number>;
  carrier: Record<string, number>;
  zone: Record<string, number>;
}

/** What is registered for a number; null where nothing is known. */
export interface NumberFacts {
  place: string | null;
  carrier: string | null;
  /** Names of the IANA database, at least one. */
  zones: string[] | null;
}

const nothing: NumberFacts = { place: null, carrier: null, zones: null };

/** The part of `digits` that begins them in `known`, the longest first. */
function longest(digits: string, known: (prefix: string) => boolean): string | undefined {
  for (let length = digits.length; length >= 0; length -= 1) {
    const prefix = digits.slice(0, length);
    if (known(prefix)) return prefix;
  }
}

function read(table: Record<string, number>, digits: string, words: string[]): string | null {
  const prefix = longest(digits, (one) => table[one] !== undefined);
  return (prefix !== undefined && words[table[prefix] ?? -1]) || null;
}

/** Finds what is registered for a number, in `+` and digits. A file that fails tells nothing. */
export async function numberFacts(env: Env, e164: string, log: Log): Promise<NumberFacts> {
  const digits = e164.slice(1);
  const index = await shard<Record<string, 1>>(env, 'numbers/index', log);
  const prefix = index && longest(digits, (one) => index[one] === 1);
  if (!prefix) return nothing;
  const found = await shard<NumberShard>(env, `numbers/${prefix}`, log);
  if (!found) return nothing;
  const rest = digits.slice(prefix.length);
  const { words } = found;
  return {
    place: read(found.place, rest, words),
    carrier: read(found.carrier, rest, words),
    zones: read(found.zone, rest, words)?.split('&') ?? null,
  };
}
