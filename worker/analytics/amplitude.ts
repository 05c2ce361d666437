import * as v from 'valibot';
import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import type { EventSender } from '../visitor/attribution.ts';
import { isPlainResponse } from './ad-networks/plain-answer.ts';
import type { StoredEvent } from './event-table.ts';

const schema = v.array(
  v.object({
    /** Ours, such as `amplitude`. */
    name: v.pipe(v.string(), v.regex(/^[a-z]\w{0,30}$/)),
    url: v.pipe(v.string(), v.url()),
    key: v.optional(v.string(), ''),
    /** Sent as bearer token, where the provider wants one. */
    bearer: v.optional(v.string()),
  }),
);

/** Who is told of events, by the protocol of Amplitude's HTTP API version 2. */
export type Provider = v.InferOutput<typeof schema>[number];

const version = '2';

/** The providers of the variable; none when it is unset or not what it should be. */
export function configuredProviders({
  ANALYTICS_PROVIDERS,
}: Pick<Env, 'ANALYTICS_PROVIDERS'>): Provider[] {
  if (!ANALYTICS_PROVIDERS) return [];
  try {
    return v.parse(schema, JSON.parse(ANALYTICS_PROVIDERS));
  } catch {
    return [];
  }
}

/** MD5 of a text, in hexadecimal digits. */
async function md5(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('MD5', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** An event in the provider's words. */
function written(event: StoredEvent, { user_id, user_data, ...marks }: EventSender) {
  const { id, name, at, visitor, session, screen, country, language } = event;
  const { flow, arm, consent, properties } = event;
  return {
    event_type: name,
    insert_id: id,
    device_id: visitor,
    user_id,
    session_id: session,
    timestamp: at,
    country,
    language,
    event_properties: {
      ...properties,
      screen_name: screen,
      flow,
      arm,
      consent,
      ...marks,
      user_data: { uuid: visitor, ...user_data },
    },
  };
}

/**
 * The form that carries events: client key, events as JSON, version, upload time, and MD5 of version,
 * key, events and time (specification, section 7).
 */
export async function uploadForm(
  key: string,
  events: readonly StoredEvent[],
  user: EventSender,
  now: number,
): Promise<URLSearchParams> {
  const e = JSON.stringify(events.map((event) => written(event, user)));
  const time = String(now);
  const checksum = await md5(version + key + e + time);
  return new URLSearchParams({ client: key, e, v: version, upload_time: time, checksum });
}

interface UploadContext {
  /** Ms since 1970. */
  now: number;
  log: Log;
  /** Told of each batch that the provider has. */
  sent(batch: readonly StoredEvent[]): Promise<void>;
}

/**
 * Uploads events; a 413 halves the batch, and drops an event that is too large by itself.
 *
 * @throws Error when the provider does not take a batch; what was `sent` before stays sent
 */
export async function uploadEvents(
  provider: Provider,
  events: readonly StoredEvent[],
  user: EventSender,
  outside: UploadContext,
): Promise<void> {
  if (events.length === 0) return;
  const { name: vendor, url, key, bearer } = provider;
  const response = await fetch(url, {
    method: 'POST',
    headers: bearer ? { authorization: `Bearer ${bearer}` } : {},
    body: await uploadForm(key, events, user, outside.now),
    signal: AbortSignal.timeout(10_000),
  });
  const plain = await isPlainResponse(response);
  if (response.status === 200 && plain) return outside.sent(events);
  if (response.status !== 413)
    throw new Error(`status ${response.status}${plain ? '' : ' unreadable'}`);
  if (events.length === 1) {
    outside.log('error', 'event_too_large', { vendor, key: events[0]?.name });
    return outside.sent(events);
  }
  const half = Math.ceil(events.length / 2);
  await uploadEvents(provider, events.slice(0, half), user, outside);
  await uploadEvents(provider, events.slice(half), user, outside);
}
