import * as v from 'valibot';
import type { Env } from '../env.ts';
import { appDomains } from '../http/query-allowlist.ts';
import { containsPersonalData, isIdentifier } from '../http/rules/personal-data-detector.ts';

/** What is no mark is left out, so that a strange cookie loses neither events nor a purchase. */
const mark = v.fallback(
  v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[\w.~-]{1,512}$/),
      v.check((text) => isIdentifier(text) && !containsPersonalData(text)),
    ),
  ),
  undefined,
);

/** What ad networks and measuring services know a visitor by (specification, section 3). */
export const attributionSchema = v.object({
  appsflyer_id: mark,
  google_tracking_id: mark,
  google_client_id: mark,
  user_data: v.optional(
    v.object({
      fbc: mark,
      fbp: mark,
      fb_click_id: mark,
      ttp: mark,
      tt_click_id: mark,
      source_url: mark,
      google_click_id: mark,
    }),
  ),
});

export type Attribution = v.InferOutput<typeof attributionSchema>;

/** The same, without the domain of an app that is none of this deployment's. */
export function withoutForeignAppDomain<Told extends Attribution>(told: Told, env: Env): Told {
  const { source_url, ...others } = told.user_data ?? {};
  if (!source_url || appDomains(env).includes(source_url.toLowerCase())) return told;
  return { ...told, user_data: others };
}

/** Who tells of events: the account's outside id after sign-up, and the pixels that may know them. */
export const eventSenderSchema = v.object({
  ...attributionSchema.entries,
  user_id: mark,
  fb_pixel_id: mark,
  tt_pixel_id: mark,
});

export type EventSender = v.InferOutput<typeof eventSenderSchema>;
