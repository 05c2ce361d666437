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
import { byteSize, splitBySize } from './queue-batching.ts';

const schema = v.object({
  /** `store`, our own table, or the name of a provider. */
  sink: v.string(),
  user: eventSenderSchema,
  events: v.array(eventSchema),
});

/** A message of the queue `EVENT_QUEUE`: events of one visitor, for one sink. */
export type EventMessage = v.InferOutput<typeof schema>;

/** Bytes of a message's own words. */
const room = 200;

/** Our own table. */
const store = 'store';

/** For so many seconds a checkout that was left may turn out to be only loaded anew. */
const doubt = 90;
/** Seconds until we have heard of that: a browser tells after 30, and once more a minute and a half later. */
const hearsay = 300;

/** A page that goes can not know whether it is only loaded anew. */
const isDoubtful = ({ name }: StoredEvent) => name === 'subs_purchase_screen_close';

/**
 * The messages that have events told to every sink, each on its own, so that each is retried alone,
 * and none larger than a queue takes.
 * A checkout that was left is held back until it is known whether the visit came back to it.
 */
export function messagesFor(
  events: readonly StoredEvent[],
  user: EventSender,
  env: Env,
): MessageSendRequest<EventMessage>[] {
  const sinks = [store, ...configuredProviders(env).map(({ name }) => name)];
  const beside = byteSize(user) + room;
  const messages = (some: StoredEvent[], delaySeconds: number) =>
    splitBySize(some, beside).flatMap((part) =>
      sinks.map((sink) => {
        const body = { sink, user: sink === store ? {} : user, events: part };
        return delaySeconds ? { body, delaySeconds } : { body };
      }),
    );
  const sure = events.filter((event) => !isDoubtful(event));
  const doubtful = events.filter(isDoubtful);
  return [
    ...(sure.length > 0 ? messages(sure, 0) : []),
    ...(doubtful.length > 0 ? messages(doubtful, hearsay) : []),
  ];
}

/** The events of visitors who did not take their yes back since. */
async function allowed(
  { sink: vendor, events }: EventMessage,
  env: Env,
  log: Log,
): Promise<StoredEvent[]> {
  const withdrawn = await withdrawnChoices(
    env.DB,
    events.map(({ visitor }) => visitor),
  );
  const left = events.filter(({ visitor }) => !withdrawn.has(visitor));
  const count = events.length - left.length;
  if (count > 0) log('info', 'events_withdrawn', { vendor, count });
  return left;
}

/** The events without checkouts that were only loaded anew. */
async function settled(events: readonly StoredEvent[], env: Env): Promise<StoredEvent[]> {
  const back = await Promise.all(
    events.map((event) => isDoubtful(event) && returnedToScreen(env.DB, event, doubt * 1000)),
  );
  return events.filter((_, at) => !back[at]);
}

async function tell(message: EventMessage, env: Env, log: Log): Promise<void> {
  const { sink, user } = message;
  const now = Date.now();
  const events = await settled(await allowed(message, env, log), env);
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
  const news = await undelivered(env.DB, sink, events);
  await uploadEvents(provider, news, user, {
    now,
    log,
    sent: (batch) => markDelivered(env.DB, sink, batch, now),
  });
}

/** Tells one sink, message by message; after a failure it is left in peace. Answers those left. */
async function tellOne(messages: readonly EventMessage[], env: Env, log: Log) {
  for (const [at, message] of messages.entries()) {
    try {
      await tell(message, env, log);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'thrown';
      log('warn', 'events_failed', { vendor: message.sink, reason });
      return messages.slice(at);
    }
  }
  return [];
}

/**
 * Tells sinks of the events of a batch, all sinks at once, so that one that hangs holds up no other.
 *
 * @returns the bodies that must come again
 */
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
  const own = sinks.map((name) => all.filter(({ sink }) => sink === name));
  const left = await Promise.all(own.map((each) => tellOne(each, env, log)));
  return left.flat().map((message) => messages.get(message));
}
