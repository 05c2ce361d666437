import * as v from 'valibot';
import type { Env } from '../env.ts';
import { appDomains } from '../http/query-allowlist.ts';
import { containsPersonalData, isIdentifier } from '../http/rules/personal-data-detector.ts';

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

export const attributionSchema = v.object({
  appsflyer_id: marketingId,
  google_tracking_id: marketingId,
  google_client_id: marketingId,
  user_data: v.optional(
    v.object({
      fbc: marketingId,
      fbp: marketingId,
      fb_click_id: marketingId,
      ttp: marketingId,
      tt_click_id: marketingId,
      source_url: marketingId,
      google_click_id: marketingId,
    }),
  ),
});

export type Attribution = v.InferOutput<typeof attributionSchema>;

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
