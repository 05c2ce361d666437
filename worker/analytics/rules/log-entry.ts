import { armsIn } from '../../experiments/rules/arms.ts';
import { armCounts } from './arm-counts.ts';
import { type Count, countOf, withCountDefaults } from './count.ts';
import { type Hash, hashOf } from './id-set.ts';
import type { StoredEvent } from './stored-event.ts';
import { hourOf, visitKey } from './tally.ts';

/** A shard's input: an event, or a count without a visitor. */
export type LogEntry = { event: StoredEvent } | { count: Count };

const crashes: ReadonlySet<string> = new Set(['chunk_failed', 'island_failed']);

/** A visitor counts once an hour for each of their variants, on however many screens something failed. */
function crashCounts({ name, experiment, arm: variant, arms, visitor }: StoredEvent, count: Count) {
  if (!crashes.has(name)) return [];
  const own = [...(experiment ? [{ experiment, variant }] : []), ...armsIn(arms)];
  const crash = { ...count, step: 'crash', screen: '', visit: visitor };
  return armCounts(crash, own).map(withCountDefaults);
}

export function countsIn(entry: LogEntry): Count[] {
  if ('count' in entry) return [entry.count];
  const count = countOf(entry.event);
  return count ? [count, ...crashCounts(entry.event, count)] : [];
}

export const eventsIn = (entries: readonly LogEntry[]): StoredEvent[] =>
  entries.flatMap((entry) => ('event' in entry ? [entry.event] : []));

/** Ms since 1970; the same whenever the entry is reported again. */
export const entryTime = (entry: LogEntry): number =>
  'event' in entry ? entry.event.at : (entry.count.reportedAt ?? entry.count.at);

export const entryId = (entry: LogEntry): string =>
  'event' in entry ? entry.event.id : entry.count.id;

const tenthMs = 100;
const shows: ReadonlySet<string> = new Set(['screen__load', 'subs_purchase_started']);
const showKey = (session: string, screen: string, tenth: number) =>
  JSON.stringify([session, screen, tenth]);

export type HourKey = readonly [hour: number, hash: Hash];

/** The times at which the visit may have shown the event's screen again, in tenths of a second. */
export function* laterShowKeys(
  { at, session, screen }: StoredEvent,
  withinMs: number,
): Generator<HourKey> {
  const start = Math.floor(at / tenthMs);
  for (let tenth = start + 1; tenth <= start + withinMs / tenthMs; tenth += 1) {
    yield [hourOf(tenth * tenthMs), hashOf(showKey(session, screen, tenth))];
  }
}

/** Keys to store when an entry is accepted. */
export function keysOf(entry: LogEntry): HourKey[] {
  const keys: HourKey[] = [[hourOf(entryTime(entry)), hashOf(entryId(entry))]];
  if ('event' in entry && shows.has(entry.event.name)) {
    const { at, session, screen } = entry.event;
    keys.push([hourOf(at), hashOf(showKey(session, screen, Math.floor(at / tenthMs)))]);
  }
  return keys;
}

/** Keys to store when the entry has been counted. */
export const visitKeysOf = (entry: LogEntry): HourKey[] =>
  countsIn(entry).flatMap((count) => {
    const visit = visitKey(count);
    return visit === null ? [] : [[hourOf(count.at), hashOf(visit)] as const];
  });
