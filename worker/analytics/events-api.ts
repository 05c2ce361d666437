import type { Context } from 'hono';
import * as v from 'valibot';
import { isScreenId } from '../experiments/rules/flows.ts';
import { isBot } from '../http/bots.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { checkRateLimit } from '../http/request-guard.ts';
import { dayMs } from '../platform/durations.ts';
import type { App } from '../platform/env.ts';
import { Refusal } from '../platform/errors.ts';
import { reasonOf } from '../platform/log.ts';
import { provenId, unknownId } from '../platform/types.ts';
import {
  eventSenderSchema,
  receivedAttributionSchema,
  withoutForeignAppDomain,
  withRecentClicks,
} from '../visitor/attribution.ts';
import { messagesFor } from './event-messages.ts';
import { workerVersion } from './report-counts.ts';
import { readProperties } from './rules/event-schema.ts';
import { sendBatches } from './rules/queue-limits.ts';
import { type SentEvent, sentEventSchema } from './rules/sent-event.ts';
import type { StoredEvent } from './rules/stored-event.ts';
import { seenArmsText } from './visitor-arms.ts';

const maxAgeMs = 7 * dayMs;
const stepMs = 60_000;
/** The time of an event may be this far in the future; the rest of the minute allows for a slow request. */
const aheadMs = 15_000;

/** Epoch ms by our clock. `sent` shows the offset of the browser's clock; whole minutes keep the order of events. */
export function occurredAt(at: number | undefined, sent: number | undefined, now: number): number {
  if (at === undefined || sent === undefined) return now;
  const age = sent - at;
  if (age < 0 || age >= maxAgeMs) return now;
  const correction = Math.floor((now - sent + aheadMs) / stepMs) * stepMs;
  return Math.min(at + correction, now);
}

/** Drops unknown events and properties. @param sent by the browser's clock, ms */
function enrichEvents(
  c: Context<App>,
  received: readonly SentEvent[],
  sent: number | undefined,
  now: number,
): StoredEvent[] {
  const { visitor, assignment } = c.var;
  const { country, language, device, source, permissions } = visitor;
  const version = workerVersion(c.env);
  const arms = seenArmsText(c);
  // Nobody writes events for a visitor whose id they only know.
  const author = provenId(visitor) ?? unknownId();
  return received.flatMap(({ id, name, at, session, properties }) => {
    const known = readProperties(name, properties);
    if (!known) return [];
    const { screen_name: screen = '', ...rest } = known;
    return {
      id,
      name,
      at: occurredAt(at, sent, now),
      visitor: author,
      session,
      screen: String(screen),
      flow: assignment.flowName,
      experiment: assignment.experiment ?? '',
      arm: assignment.arm,
      arms,
      country,
      language,
      device,
      source,
      landing: assignment.landing,
      version,
      consent: permissions.ads ? 'ads' : 'measuring',
      properties: rest,
    };
  });
}

const body = v.object({
  events: v.pipe(v.array(v.unknown()), v.maxLength(100)),
  sent: v.fallback(v.optional(v.pipe(v.number(), v.safeInteger())), undefined),
  ...receivedAttributionSchema.entries,
  user_id: eventSenderSchema.entries.user_id,
});

const types = ['application/json', 'text/plain'];

const browserErrors: ReadonlySet<string> = new Set([
  'chunk_failed',
  'island_failed',
  'phone_format_failed',
]);
const maxLogLines = 10;

/** Drops free text, because it may quote the visitor's input. */
const kindOf = (value: unknown) =>
  typeof value === 'string' && /^[A-Za-z_]{1,40}$/.test(value) ? value : undefined;
const screenOf = (value: unknown) =>
  typeof value === 'string' && isScreenId(value) ? value : undefined;

const chunkOf = (value: unknown) =>
  typeof value === 'string' ? /^Loading chunk ([\w-]{1,40}) failed$/.exec(value)?.[1] : undefined;

function logBrowserErrors(c: Context<App>, events: readonly SentEvent[]): void {
  const errors = events.filter(({ name }) => browserErrors.has(name));
  for (const { name, properties } of errors.slice(0, maxLogLines)) {
    c.var.log('warn', name, {
      type: kindOf(properties.type),
      screen: screenOf(properties.screen_name),
      chunk: chunkOf(properties.message),
    });
  }
}

/** Bots and marketers' previews are not measured. */
const isMeasured = (c: Context<App>) =>
  c.var.visitor.permissions.measuring && !c.var.preview && !isBot(c.req.raw);

const eventsPerUnit = 25;
const bytesPerUnit = 16 * 1024;

/** Limits by bytes and by count, before the queue. @throws Refusal `rate_limited`; the browser retries later */
async function limitEvents(c: Context<App>, count: number): Promise<void> {
  const bytes = Number(c.req.header('content-length') ?? 64 * 1024);
  const units = Math.max(1, Math.ceil(Math.max(count / eventsPerUnit, bytes / bytesPerUnit)));
  await checkRateLimit(c, 'EVENT_RATE_LIMIT', { units });
  const key = Promise.resolve(provenId(c.var.visitor));
  await checkRateLimit(c, 'VISITOR_EVENT_RATE_LIMIT', { key, units });
}

type EventsBody = v.InferOutput<typeof body>;

async function relay(c: Context<App>, known: SentEvent[], received: EventsBody): Promise<void> {
  const { events: _, sent, user_id, ...attribution } = received;
  const now = Date.now();
  const enriched = enrichEvents(c, known, sent, now);
  const { META_PIXEL_ID: fb_pixel_id, TIKTOK_PIXEL_ID: tt_pixel_id } = c.env;
  const shared = c.var.visitor.permissions.ads
    ? {
        ...withoutForeignAppDomain(withRecentClicks(attribution, now), c.env),
        fb_pixel_id,
        tt_pixel_id,
      }
    : {};
  const messages = messagesFor(enriched, { user_id, ...shared }, c.env);
  // If a later call fails the browser sends everything again; consumers skip what they have.
  for (const some of sendBatches(messages)) await c.env.EVENT_QUEUE.sendBatch(some);
}

function parseEvents(events: readonly unknown[]) {
  const read = events.map((each) => v.safeParse(sentEventSchema, each));
  return {
    known: read.flatMap((each) => (each.success ? [each.output] : [])),
    refused: read.flatMap(({ success }, at) => (success ? [] : [at])),
    /** The path of each invalid field, such as `events.0.name`. */
    field: read.flatMap(({ issues }, at) =>
      issues
        ? [['events', at, v.getDotPath(issues[0])].filter((part) => part !== null).join('.')]
        : [],
    )[0],
  };
}

/** A beacon's JSON has the type text/plain. 503 while the queue is down, so the browser keeps its events. */
export const receiveEvents = createHandlers(jsonBody(body, {}, types), async (c) => {
  const received = c.req.valid('json');
  await limitEvents(c, received.events.length);
  const { known, refused, field } = parseEvents(received.events);
  if (refused.length > 0) c.var.log('warn', 'events_refused', { count: refused.length });
  if (refused.length > 0 && known.length === 0) throw new Refusal('malformed_body', field);
  logBrowserErrors(c, known);
  try {
    if (isMeasured(c)) await relay(c, known, received);
  } catch (error) {
    const reason = reasonOf(error);
    c.var.log('error', 'events_enqueue_failed', {
      count: known.length,
      reason,
      final: true,
    });
    return c.body(null, 503);
  }
  return refused.length > 0 ? c.json({ data: { refused } }) : c.body(null, 204);
});
