import * as v from 'valibot';
import type { Env } from '../platform/env.ts';
import { type Log, messageOf } from '../platform/log.ts';
import { unanswered } from '../platform/unanswered.ts';
import { withdrawnVisitors } from '../visitor/consent-table.ts';
import { configuredProviders, uploadEvents } from './amplitude.ts';
import { type EventsMessage, eventsSchema, mayBeReload, store } from './event-messages.ts';
import { countShard } from './report-counts.ts';
import { type Count, type CountInput, countSchema, withCountDefaults } from './rules/count.ts';
import { sendBatches } from './rules/queue-limits.ts';
import { shardOf } from './rules/shards.ts';
import type { StoredEvent } from './rules/stored-event.ts';

const withSinks = ({ sink, sinks, ...message }: EventsMessage): EventsMessage => ({
  ...message,
  sinks: sink ? [sink] : sinks,
});
export type EventMessage = EventsMessage | { counts: CountInput[] };

/** The message format of builds before the shards. */
const olderExposure = v.pipe(
  v.object({ id: v.string(), experiment: v.string(), arm: v.string(), at: v.number() }),
  v.transform(({ id, at, experiment, arm: variant }) =>
    withCountDefaults({ id, at, step: 'exposure', slice: { experiment, variant } }),
  ),
);

const countsSchema = v.object({ counts: v.array(countSchema) });

/** A visit that shows the checkout again this soon only reloaded it. */
const reloadWindowMs = 90_000;

/** Drops events of visitors who have withdrawn consent since, and checkouts that were only reloaded. */
async function withoutUnwanted(messages: readonly EventsMessage[], env: Env, log: Log) {
  const all = messages.flatMap(({ events }) => events);
  const withdrawn = await withdrawnVisitors(
    env,
    all.map(({ visitor }) => visitor),
  );
  const allowed = all.filter(({ visitor }) => !withdrawn.has(visitor));
  const count = all.length - allowed.length;
  if (count > 0) log('info', 'events_dropped_after_withdrawal', { count });
  const reloaded = new Set<StoredEvent>();
  for (const [shard, closes] of Map.groupBy(allowed.filter(mayBeReload), shardOfEvent)) {
    const stub = env.EVENT_SHARDS.getByName(shard);
    const answers = await stub.wereReloaded(closes, reloadWindowMs);
    for (const [at, close] of closes.entries()) if (answers[at]) reloaded.add(close);
  }
  const isWanted = (event: StoredEvent) => !withdrawn.has(event.visitor) && !reloaded.has(event);
  return messages.map((message) => ({ ...message, events: message.events.filter(isWanted) }));
}

const shardOfEvent = ({ visitor }: StoredEvent) => shardOf(visitor);

/** @returns the messages of shards that did not take them */
async function storeInShards(messages: readonly EventsMessage[], env: Env, log: Log) {
  const byShard = Map.groupBy(messages, ({ events: [first] }) =>
    first ? shardOfEvent(first) : '',
  );
  const failed = await Promise.all(
    [...byShard].map(async ([shard, own]) => {
      if (shard === '') return [];
      try {
        const events = own.flatMap((message) => message.events);
        await env.EVENT_SHARDS.getByName(shard).append(events, []);
        return [];
      } catch (error) {
        log('warn', 'events_failed', { vendor: store, reason: messageOf(error) });
        return own;
      }
    }),
  );
  return failed.flat();
}

/** One after the other, to keep the order. @returns the messages from the first failure on */
async function upload(messages: readonly EventsMessage[], vendor: string, env: Env, log: Log) {
  const provider = configuredProviders(env).find(({ name }) => name === vendor);
  for (const [at, { events, user }] of messages.entries()) {
    if (!provider?.key) {
      log('warn', 'events_provider_unconfigured', {
        vendor,
        reason: 'No request sent',
        count: events.length,
      });
      continue;
    }
    try {
      await uploadEvents(provider, events, user, { now: Date.now(), log });
    } catch (error) {
      log('warn', 'events_failed', { vendor, reason: messageOf(error) });
      return messages.slice(at);
    }
  }
  return [];
}

/** In parallel, so that a slow sink delays no other. @returns the remaining sinks of each message */
async function deliver(messages: readonly EventsMessage[], env: Env, log: Log) {
  const sinks = [...new Set(messages.flatMap((message) => message.sinks))];
  const failures = await Promise.all(
    sinks.map(async (sink) => {
      const own = messages.filter((message) => message.sinks.includes(sink));
      const send = sink === store ? storeInShards(own, env, log) : upload(own, sink, env, log);
      return { sink, failed: new Set(await send) };
    }),
  );
  const leftOf = (message: EventsMessage) =>
    failures.flatMap(({ sink, failed }) => (failed.has(message) ? [sink] : []));
  return messages.map((message) => ({ ...message, sinks: leftOf(message) }));
}

async function storeCounts(counts: readonly Count[], env: Env): Promise<void> {
  if (counts.length > 0) await env.EVENT_SHARDS.getByName(countShard).append([], counts);
}

/** Exposures. @returns the bodies to retry */
export async function consumeCounts(bodies: readonly unknown[], env: Env, log: Log) {
  const counts = bodies.flatMap((body) => {
    const read = v.safeParse(v.union([countSchema, olderExposure]), body);
    if (!read.success) log('error', 'exposure_malformed');
    return read.success ? [read.output] : [];
  });
  await storeCounts(counts, env);
  return [];
}

/** At least once: shards skip repeated events by id, and providers by `insert_id`. @returns the bodies to retry */
export async function consumeEvents(
  bodies: readonly unknown[],
  env: Env,
  log: Log,
): Promise<readonly unknown[]> {
  const messages = new Map<EventsMessage, unknown>();
  const counted = new Map<unknown, Count[]>();
  for (const body of bodies) {
    const [events, counts] = [v.safeParse(eventsSchema, body), v.safeParse(countsSchema, body)];
    if (events.success) messages.set(withSinks(events.output), body);
    else if (counts.success) counted.set(body, counts.output.counts);
    else log('error', 'events_malformed');
  }
  const retry: unknown[] = [];
  await storeCounts([...counted.values()].flat(), env).catch((error) => {
    log('warn', 'events_failed', { vendor: store, reason: messageOf(error) });
    retry.push(...counted.keys());
  });
  const before = [...messages];
  if (before.length === 0) return retry;
  const sent = [...messages.keys()];
  const wanted = await withoutUnwanted(sent, env, log).catch((error) => {
    log('warn', 'events_failed', { vendor: store, reason: messageOf(error) });
    return null;
  });
  if (!wanted) return [...retry, ...messages.values()];
  for (const [at, undelivered] of (await deliver(wanted, env, log)).entries()) {
    if (undelivered.sinks.length === 0) continue;
    const [message, body] = before[at] ?? [];
    const isWhole = undelivered.sinks.length === message?.sinks.length;
    // One message per remaining sink, so that a failing sink delays no other.
    if (isWhole || !(await sendSeparately(undelivered, env, log))) retry.push(body);
  }
  return retry;
}

async function sendSeparately(undelivered: EventsMessage, env: Env, log: Log): Promise<boolean> {
  const parts = undelivered.sinks.map((sink) => ({
    body: { ...undelivered, sinks: [sink] },
    delaySeconds: 30,
  }));
  try {
    for (const some of sendBatches(parts)) await env.EVENT_QUEUE.sendBatch(some);
    return true;
  } catch (error) {
    return unanswered(log, 'EVENT_QUEUE', false)(error); // The queue retries the whole message.
  }
}
