import type { Env } from '../platform/env.ts';
import type { Log } from '../platform/log.ts';
import { readShard } from './data-shards.ts';

export interface NumberShard {
  words: string[];
  place: Record<string, number>;
  carrier: Record<string, number>;
  zone: Record<string, number>;
}

export interface NumberingFacts {
  area: string | null;
  carrier: string | null;
  zones: string[] | null;
}

const nothing: NumberingFacts = { area: null, carrier: null, zones: null };

function longestPrefix(digits: string, isKnown: (prefix: string) => boolean): string | undefined {
  for (let length = digits.length; length >= 0; length -= 1) {
    const prefix = digits.slice(0, length);
    if (isKnown(prefix)) return prefix;
  }
}

function read(table: Record<string, number>, digits: string, words: string[]): string | null {
  const prefix = longestPrefix(digits, (one) => table[one] !== undefined);
  return (prefix !== undefined && words[table[prefix] ?? -1]) || null;
}

/** All fields are null where nothing is known or a file is missing. */
export async function numberFacts(env: Env, e164: string, log: Log): Promise<NumberingFacts> {
  const digits = e164.slice(1);
  const index = await readShard<Record<string, 1>>(env, 'numbers/index', log);
  const prefix = index && longestPrefix(digits, (one) => index[one] === 1);
  if (!prefix) return nothing;
  const found = await readShard<NumberShard>(env, `numbers/${prefix}`, log);
  if (!found) return nothing;
  const rest = digits.slice(prefix.length);
  const { words } = found;
  return {
    area: read(found.place, rest, words),
    carrier: read(found.carrier, rest, words),
    zones: read(found.zone, rest, words)?.split('&') ?? null,
  };
}

/** IANA time zones of a country; empty for an unknown one. */
function timeZonesOf(country: string): string[] {
  const locale: Intl.Locale & {
    getTimeZones?(): string[] | undefined;
    timeZones?: string[];
  } = new Intl.Locale(`und-${country}`);
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

/** Generic name for all seasons: zones with the same name always show the same time. */
function genericName(zone: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longGeneric' });
  return format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

/** One of a number's possible zones, if all of them within its country show the same time; else null. */
/** Every time zone that a number may be in; `UTC` where none is known. */
export async function zonesOfNumber(
  env: Env,
  e164: string,
  country: string | null,
  log: Log,
): Promise<string[]> {
  const { zones } = await numberFacts(env, e164, log);
  const known = zones ?? (country ? timeZonesOf(country) : []);
  return known.length > 0 ? known : ['UTC'];
}

export function likelyTimeZone(zones: readonly string[], country: string | null): string | null {
  const own = country ? timeZonesOf(country) : [];
  const possible = zones.filter((zone) => own.includes(zone));
  const [first, ...others] = possible.length > 0 ? possible : zones;
  if (!first) return null;
  const name = genericName(first);
  return others.every((zone) => genericName(zone) === name) ? first : null;
}
