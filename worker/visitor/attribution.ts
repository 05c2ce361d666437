import * as v from 'valibot';
import { appDomains, type ClickId } from '../http/query-allowlist.ts';
import { containsPersonalData, isIdentifier } from '../http/rules/personal-data-detector.ts';
import { dayMs } from '../platform/durations.ts';
import type { Env } from '../platform/env.ts';

/** Invalid values are dropped, so a malformed cookie never loses an event or a purchase. */
const marketingId = v.fallback(
  v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[\w.~-]{1,512}$/),
      v.check((text) => isIdentifier(text) && !containsPersonalData(text)),
    ),
  ),
  undefined,
);

const epochMs = v.fallback(
  v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  undefined,
);

export const attributionSchema = v.object({
  appsflyer_id: marketingId,
  google_tracking_id: marketingId,
  google_client_id: marketingId,
  /** The session in GA4's cookie: epoch seconds at its start. */
  google_session_id: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^\d{10}$/))), undefined),
  user_data: v.optional(
    v.object({
      fbc: marketingId,
      fbp: marketingId,
      fb_click_id: marketingId,
      ttp: marketingId,
      tt_click_id: marketingId,
      source_url: marketingId,
      google_click_id: marketingId,
      gbraid: marketingId,
      wbraid: marketingId,
    }),
  ),
});

export type Attribution = v.InferOutput<typeof attributionSchema>;

const fieldOf = {
  fbclid: 'fb_click_id',
  ttclid: 'tt_click_id',
  gclid: 'google_click_id',
  gbraid: 'gbraid',
  wbraid: 'wbraid',
} as const satisfies Record<ClickId, keyof NonNullable<Attribution['user_data']>>;

const clickFields = Object.values(fieldOf);

/** What a browser sends: also the first time of each click, ms since 1970. */
export const receivedAttributionSchema = v.object({
  ...attributionSchema.entries,
  clicked_at: v.fallback(v.optional(v.object(v.entriesFromList(clickFields, epochMs))), undefined),
});

export type ReceivedAttribution = v.InferOutput<typeof receivedAttributionSchema>;

/** No network attributes an older click. */
const maxClickAgeMs = 90 * dayMs;

/**
 * The cookie `_fbc`, or for a later click what Meta's script would store: version, subdomain index, ms, click id.
 * Source: developers.facebook.com/docs/marketing-api/conversions-api/parameters/fbp-and-fbc
 */
function fbcOf(cookie: string | undefined, click: string | undefined, at: number) {
  if (!click || !/^[\w-]+$/.test(click)) return cookie;
  const [, , created, known] = cookie?.split('.') ?? [];
  return known === click || Number(created) > at ? cookie : `fb.1.${at}.${click}`;
}

/** Drops clicks that are too old, and completes `fbc` where the browser lost or refused its cookie. */
export function withRecentClicks<Received extends ReceivedAttribution>(
  { clicked_at, ...data }: Received,
  now: number,
): Omit<Received, 'clicked_at'> {
  if (!data.user_data) return data;
  const user_data = { ...data.user_data };
  const timeOf = (field: (typeof clickFields)[number]) => Math.min(clicked_at?.[field] ?? now, now);
  for (const field of clickFields) {
    if (now - timeOf(field) > maxClickAgeMs) delete user_data[field];
  }
  const fbc = fbcOf(user_data.fbc, user_data.fb_click_id, timeOf('fb_click_id'));
  return { ...data, user_data: fbc ? { ...user_data, fbc } : user_data };
}

export function withoutForeignAppDomain<Data extends Attribution>(data: Data, env: Env): Data {
  const { source_url, ...others } = data.user_data ?? {};
  if (!source_url || appDomains(env).includes(source_url.toLowerCase())) return data;
  return { ...data, user_data: others };
}

/** Sent with events: the account's public id after sign-up, and the pixels that may identify the visitor. */
export const eventSenderSchema = v.object({
  ...attributionSchema.entries,
  user_id: marketingId,
  fb_pixel_id: marketingId,
  tt_pixel_id: marketingId,
});

export type EventSender = v.InferOutput<typeof eventSenderSchema>;
