import type { NumberShard } from '../../../worker/phone-lookup/numbering-data.ts';
import type { Prefixes } from './numbering-data.ts';

type Kind = 'place' | 'carrier' | 'zone';
type Entry = [prefix: string, value: string];
type Tables<Content> = Record<Kind, Content>;

const kinds: readonly Kind[] = ['place', 'carrier', 'zone'];
/** Characters of JSON that a shard may have before it is split by the next digit. */
const limit = 12_000;

/** What a prefix inherits from the shorter ones. */
function inherited(known: Prefixes, prefix: string): string | undefined {
  for (let length = prefix.length; length > 0; length -= 1) {
    const value = known.get(prefix.slice(0, length));
    if (value) return value;
  }
}

/** Leaves out what a longest-prefix look-up would find without it. */
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

/**
 * Cuts what is known of numbers into files of which a look-up reads one: a prefix whose entries do
 * not fit a file hands them to the files of its next digits, and keeps what they inherit.
 *
 * @param callings the calling codes
 * @returns each file's JSON by its prefix, and `index`, the prefixes that have one
 */
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
