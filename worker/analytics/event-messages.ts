import type { MessageSendRequest } from '@cloudflare/workers-types';
import * as v from 'valibot';
import type { Env } from '../platform/env.ts';
import { type EventSender, eventSenderSchema } from '../visitor/attribution.ts';
import { configuredProviders } from './amplitude.ts';
import { byteSize, splitBySize } from './rules/queue-limits.ts';
import { eventSchema, type StoredEvent } from './rules/stored-event.ts';

const envelopeBytes = 400;

/** The sink for our own storage. */
export const store = 'store';

/** The browser sends events after 30 seconds and retries after 90 more, so a reload's events have arrived by then. */
const reloadCheckDelaySeconds = 300;

/** A page that unloads cannot know whether the visitor leaves or reloads. */
export const mayBeReload = ({ name }: StoredEvent) => name === 'subs_purchase_screen_close';

/** One message for all sinks. An abandoned checkout waits until a reload is ruled out. */
export function messagesFor(
  events: readonly StoredEvent[],
  user: EventSender,
  env: Env,
): MessageSendRequest<EventsMessage>[] {
  const sinks = [store, ...configuredProviders(env).map(({ name }) => name)];
  const overheadBytes = byteSize(user) + envelopeBytes;
  const messages = (some: StoredEvent[]) =>
    splitBySize(some, overheadBytes).map((part) => ({ body: { sinks, user, events: part } }));
  const certain = messages(events.filter((event) => !mayBeReload(event)));
  const delayed = messages(events.filter(mayBeReload));
  return [...certain, ...delayed.map((one) => ({ ...one, delaySeconds: reloadCheckDelaySeconds }))];
}

export const eventsSchema = v.object({
  /** `store` and the providers that do not have the events yet; an older build names one `sink`. */
  sinks: v.optional(v.array(v.string()), []),
  sink: v.optional(v.string()),
  user: eventSenderSchema,
  events: v.array(eventSchema),
});

export type EventsMessage = v.InferOutput<typeof eventsSchema>;
