import type { Context } from 'hono';
import * as v from 'valibot';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { isBot } from '../experiments/exposure.ts';
import { isScreenId } from '../experiments/rules/flows.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { isIdentifier } from '../http/rules/personal-data-detector.ts';
import { eventSenderSchema, withoutForeignAppDomain } from '../visitor/attribution.ts';
import { messagesFor } from './event-consumer.ts';
import { enrichEvents, type ReceivedEvent } from './event-enrichment.ts';
import { sendBatches } from './queue-batching.ts';

const event = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w.-]{1,160}$/), v.check(isIdentifier)),
  name: v.pipe(v.string(), v.regex(/^[\w-]{1,80}$/)),
  at: v.optional(v.pipe(v.number(), v.safeInteger())),
  session: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{0,64}$/), v.check(isIdentifier))),
  properties: v.optional(v.record(v.string(), v.unknown())),
});
const body = v.object({
  events: v.pipe(v.array(v.unknown()), v.maxLength(100)),
  /** When it was sent, by the browser's clock, ms since 1970. */
  sent: v.fallback(v.optional(v.pipe(v.number(), v.safeInteger())), undefined),
  ...v.omit(eventSenderSchema, ['fb_pixel_id', 'tt_pixel_id']).entries,
});

const types = ['application/json', 'text/plain'];

/** Troubles of the browser that operators must see. */
const troubles: ReadonlySet<string> = new Set([
  'chunk_failed',
  'island_failed',
  'phone_format_failed',
]);
/** One visitor's broken page must not fill the log. */
const mostLines = 10;

/** A kind such as `timeout` or `TypeError`; free text is dropped, it may quote what was typed. */
const kindOf = (value: unknown) =>
  typeof value === 'string' && /^[A-Za-z_]{1,40}$/.test(value) ? value : undefined;
const screenOf = (value: unknown) =>
  typeof value === 'string' && isScreenId(value) ? value : undefined;

/** Which chunk `Loading chunk {id} failed` is about. */
const chunkOf = (value: unknown) =>
  typeof value === 'string' ? /^Loading chunk ([\w-]{1,40}) failed$/.exec(value)?.[1] : undefined;

function logTroubles(c: Context<App>, events: readonly ReceivedEvent[]): void {
  const told = events.filter(({ name }) => troubles.has(name));
  for (const { name, properties } of told.slice(0, mostLines)) {
    c.var.log('warn', name, {
      type: kindOf(properties?.type),
      screen: screenOf(properties?.screen_name),
      key: chunkOf(properties?.message),
    });
  }
}

/** Whether what this visitor does may be counted: not a program's visit, nor a marketer's preview. */
const counts = (c: Context<App>) =>
  c.var.visitor.permissions.measuring && !c.var.preview && !isBot(c.req.raw);

type Told = v.InferOutput<typeof body>;

async function relay(c: Context<App>, known: ReceivedEvent[], told: Told): Promise<void> {
  const { events: _, sent, user_id, ...marks } = told;
  const stamped = enrichEvents(c, known, sent, Date.now());
  const { META_PIXEL_ID: fb_pixel_id, TIKTOK_PIXEL_ID: tt_pixel_id } = c.env;
  const may = c.var.visitor.permissions.ads
    ? { ...withoutForeignAppDomain(marks, c.env), fb_pixel_id, tt_pixel_id }
    : {};
  const messages = messagesFor(stamped, { user_id, ...may }, c.env);
  // What one call took and another did not comes again, and is known again.
  for (const some of sendBatches(messages)) await c.env.EVENT_QUEUE.sendBatch(some);
}

/** The events that are well-formed, and the places of those that are not. */
function sorted(events: readonly unknown[]) {
  const read = events.map((each) => v.safeParse(event, each));
  return {
    known: read.flatMap((each) => (each.success ? [each.output] : [])),
    refused: read.flatMap(({ success }, at) => (success ? [] : [at])),
  };
}

/**
 * Takes what the browser tells; `navigator.sendBeacon` may send it as plain text. The answer names
 * the places of events that are malformed; the others are taken. With the queue down it is a 503, and
 * the browser keeps what it has.
 */
export const receiveEvents = createHandlers(jsonBody(body, {}, types), async (c) => {
  const told = c.req.valid('json');
  const { known, refused } = sorted(told.events);
  if (refused.length > 0) c.var.log('warn', 'events_refused', { count: refused.length });
  if (refused.length > 0 && known.length === 0) throw new Refusal('malformed_body');
  logTroubles(c, known);
  try {
    if (counts(c)) await relay(c, known, told);
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'thrown';
    c.var.log('error', 'events_lost', { count: known.length, reason });
    return c.body(null, 503);
  }
  return refused.length > 0 ? c.json({ data: { refused } }) : c.body(null, 204);
});
