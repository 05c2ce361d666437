import type { MessageSendRequest } from '@cloudflare/workers-types';
import * as v from 'valibot';
import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import { type EventSender, eventSenderSchema } from '../visitor/attribution.ts';
import { withdrawnChoices } from '../visitor/consent-table.ts';
import { configuredProviders, uploadEvents } from './amplitude.ts';
import {
  eventSchema,
  insertEvents,
  markDelivered,
  returnedToScreen,
  type StoredEvent,
  undelivered,
} from './event-table.ts';

/** Below the limits of Queues, 128 KB a message and 256 KB a call, to leave room for metadata. */
const maxMessageBytes = 120_000;
const maxCallBytes = 240_000;
const maxMessagesPerCall = 100;

const encoder = new TextEncoder();

export const byteSize = (value: unknown): number => encoder.encode(JSON.stringify(value)).length;

/** In order; an item that is too large stands alone. */
function grouped<One>(all: readonly One[], bytes: number, count = Number.POSITIVE_INFINITY) {
  const groups: One[][] = [];
  let left = 0;
  for (const one of all) {
    const size = byteSize(one) + 1;
    const last = groups.at(-1);
    if (last && size <= left && last.length < count) last.push(one);
    else groups.push([one]);
    left = (last === groups.at(-1) ? left : bytes) - size;
  }
  return groups;
}

export const splitBySize = <One>(all: readonly One[], overheadBytes: number): One[][] =>
  grouped(all, maxMessageBytes - overheadBytes);

export const sendBatches = <Body>(
  messages: readonly MessageSendRequest<Body>[],
): MessageSendRequest<Body>[][] => grouped(messages, maxCallBytes, maxMessagesPerCall);

const schema = v.object({
  sink: v.string(),
  user: eventSenderSchema,
  events: v.array(eventSchema),
});

export type EventMessage = v.InferOutput<typeof schema>;

const envelopeBytes = 200;

const store = 'store';

/** A visit that shows the checkout again this soon only reloaded it. */
const reloadWindowMs = 90_000;
/** By then the browser has sent the reload's events: it sends after 30 seconds and retries after 90 more. */
const reloadCheckDelaySeconds = 300;

/** A page that unloads can not know whether the visitor leaves or reloads. */
const mayBeReload = ({ name }: StoredEvent) => name === 'subs_purchase_screen_close';

/** One message per sink, each retried alone. An abandoned checkout waits until a reload is ruled out. */
export function messagesFor(
  events: readonly StoredEvent[],
  user: EventSender,
  env: Env,
): MessageSendRequest<EventMessage>[] {
  const sinks = [store, ...configuredProviders(env).map(({ name }) => name)];
  const overheadBytes = byteSize(user) + envelopeBytes;
  const messages = (some: StoredEvent[], delaySeconds: number) =>
    splitBySize(some, overheadBytes).flatMap((part) =>
      sinks.map((sink) => {
        const body = { sink, user: sink === store ? {} : user, events: part };
        return delaySeconds ? { body, delaySeconds } : { body };
      }),
    );
  const certain = events.filter((event) => !mayBeReload(event));
  const delayed = events.filter(mayBeReload);
  return [
    ...(certain.length > 0 ? messages(certain, 0) : []),
    ...(delayed.length > 0 ? messages(delayed, reloadCheckDelaySeconds) : []),
  ];
}

/** Drops events of visitors who have withdrawn consent since. */
async function withConsent(
  { sink: vendor, events }: EventMessage,
  env: Env,
  log: Log,
): Promise<StoredEvent[]> {
  const withdrawn = await withdrawnChoices(
    env.DB,
    events.map(({ visitor }) => visitor),
  );
  const remaining = events.filter(({ visitor }) => !withdrawn.has(visitor));
  const count = events.length - remaining.length;
  if (count > 0) log('info', 'events_withdrawn', { vendor, count });
  return remaining;
}

async function withoutReloads(events: readonly StoredEvent[], env: Env): Promise<StoredEvent[]> {
  const reloaded = await Promise.all(
    events.map((event) => mayBeReload(event) && returnedToScreen(env.DB, event, reloadWindowMs)),
  );
  return events.filter((_, at) => !reloaded[at]);
}

async function deliver(message: EventMessage, env: Env, log: Log): Promise<void> {
  const { sink, user } = message;
  const now = Date.now();
  const events = await withoutReloads(await withConsent(message, env, log), env);
  if (sink === store) return insertEvents(env.DB, events, now);
  const provider = configuredProviders(env).find(({ name }) => name === sink);
  if (!provider?.key) {
    log('warn', 'events_dropped', {
      vendor: sink,
      reason: 'No request sent',
      count: events.length,
    });
    return;
  }
  const pending = await undelivered(env.DB, sink, events);
  await uploadEvents(provider, pending, user, {
    now,
    log,
    onDelivered: (batch) => markDelivered(env.DB, sink, batch, now),
  });
}

/** Stops at the first failure, to keep the order. Returns the undelivered messages. */
async function deliverInOrder(messages: readonly EventMessage[], env: Env, log: Log) {
  for (const [at, message] of messages.entries()) {
    try {
      await deliver(message, env, log);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'thrown';
      log('warn', 'events_failed', { vendor: message.sink, reason });
      return messages.slice(at);
    }
  }
  return [];
}

/** In parallel, so that a slow sink delays no other. @returns the bodies to retry */
export async function consumeEvents(
  bodies: readonly unknown[],
  env: Env,
  log: Log,
): Promise<readonly unknown[]> {
  const messages = new Map<EventMessage, unknown>();
  for (const body of bodies) {
    const read = v.safeParse(schema, body);
    if (read.success) messages.set(read.output, body);
    else log('error', 'events_malformed');
  }
  const all = [...messages.keys()];
  const sinks = [...new Set(all.map(({ sink }) => sink))];
  const bySink = sinks.map((name) => all.filter(({ sink }) => sink === name));
  const failed = await Promise.all(bySink.map((each) => deliverInOrder(each, env, log)));
  return failed.flat().map((message) => messages.get(message));
}
