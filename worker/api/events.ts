import { Hono } from 'hono';
import * as v from 'valibot';
import type { App } from '../env.ts';
import { isScreenId } from '../funnel/flows.ts';
import { jsonBody } from './body.ts';

const event = v.object({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
  name: v.pipe(v.string(), v.regex(/^\w{1,80}$/)),
  properties: v.optional(v.record(v.string(), v.unknown())),
});
const body = v.object({ events: v.pipe(v.array(event), v.maxLength(100)) });

const types = ['application/json', 'text/plain'];

/** Troubles of the browser that operators must see. */
const troubles: ReadonlySet<string> = new Set(['chunk_failed', 'island_failed', 'web_error']);
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

/** Takes what the browser tells; `navigator.sendBeacon` may send it as plain text. */
export const events = new Hono<App>().post('/events', jsonBody(body, {}, types), (c) => {
  const told = c.req.valid('json').events.filter(({ name }) => troubles.has(name));
  for (const { name, properties } of told.slice(0, mostLines)) {
    c.var.log('warn', name, {
      type: kindOf(properties?.type),
      screen: screenOf(properties?.screen_name),
      key: chunkOf(properties?.message),
    });
  }
  return c.body(null, 204);
});
