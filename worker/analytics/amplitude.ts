import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Env } from '../platform/env.ts';
import type { Log } from '../platform/log.ts';
import { jsonIn } from '../platform/read-json.ts';
import type { EventSender } from '../visitor/attribution.ts';
import { isPlainResponse } from './ad-networks/types.ts';
import type { StoredEvent } from './rules/stored-event.ts';

const schema = v.array(
  v.object({
    name: v.pipe(v.string(), v.regex(/^[a-z]\w{0,30}$/)),
    url: v.pipe(v.string(), v.url()),
    key: v.optional(v.string(), ''),
    bearer: v.optional(v.string()),
  }),
);

export type AnalyticsProvider = v.InferOutput<typeof schema>[number];

const version = '2';

export function configuredProviders({
  ANALYTICS_PROVIDERS,
}: Pick<Env, 'ANALYTICS_PROVIDERS'>): AnalyticsProvider[] {
  const read = v.safeParse(schema, jsonIn(ANALYTICS_PROVIDERS));
  return read.success ? read.output : [];
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** Amplitude numbers a session by the ms at which it began; -1 is outside any (amplitude.com/docs/apis/analytics/http-v2). */
const sessionNumber = (session: string) => Number(/^\d{13}(?=-)/.exec(session)?.[0] ?? -1);

function payloadOf(event: StoredEvent, { user_id, user_data, ...attribution }: EventSender) {
  const { id, name, at, visitor, session, screen, country, language } = event;
  const { flow, arm, consent, properties } = event;
  return {
    event_type: name,
    insert_id: id,
    device_id: visitor,
    user_id,
    session_id: sessionNumber(session),
    timestamp: at,
    country,
    language,
    event_properties: {
      ...properties,
      screen_name: screen,
      flow,
      arm,
      consent,
      ...attribution,
      user_data: { uuid: visitor, ...user_data },
    },
  };
}

/** Client key, events, version, time, and MD5 of version, key, events and time (specification, section 7). */
export async function uploadForm(
  key: string,
  events: readonly StoredEvent[],
  user: EventSender,
  now: number,
): Promise<URLSearchParams> {
  const e = JSON.stringify(events.map((event) => payloadOf(event, user)));
  const time = String(now);
  const checksum = md5(version + key + e + time);
  return new URLSearchParams({ client: key, e, v: version, upload_time: time, checksum });
}

interface UploadContext {
  now: number;
  log: Log;
}

/** A 413 halves the batch. @throws Error for a refused batch; providers skip repeated events by their `insert_id` */
export async function uploadEvents(
  provider: AnalyticsProvider,
  events: readonly StoredEvent[],
  user: EventSender,
  context: UploadContext,
): Promise<void> {
  if (events.length === 0) return;
  const { name: vendor, url, key, bearer } = provider;
  const response = await fetch(url, {
    method: 'POST',
    headers: bearer ? { authorization: `Bearer ${bearer}` } : {},
    body: await uploadForm(key, events, user, context.now),
    signal: AbortSignal.timeout(10_000),
  });
  const plain = await isPlainResponse(response);
  if (response.status === 200 && plain) return;
  if (response.status !== 413)
    throw new Error(`status ${response.status}${plain ? '' : ' unreadable'}`);
  if (events.length === 1) {
    context.log('error', 'event_too_large', { vendor, name: events[0]?.name });
    return;
  }
  const half = Math.ceil(events.length / 2);
  await uploadEvents(provider, events.slice(0, half), user, context);
  await uploadEvents(provider, events.slice(half), user, context);
}
