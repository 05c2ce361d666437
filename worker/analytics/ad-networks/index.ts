import type { Context } from 'hono';
import * as v from 'valibot';
import type { PixelSettings } from '../../http/page-kind.ts';
import { readCookie } from '../../http/read-cookie.ts';
import { type App, type Env, isProduction } from '../../platform/env.ts';
import { provenId, unknownId } from '../../platform/types.ts';
import {
  type Attribution,
  receivedAttributionSchema,
  withoutForeignAppDomain,
  withRecentClicks,
} from '../../visitor/attribution.ts';
import { type AdClickData, pixelSuffix } from '../rules/conversion.ts';
import { googleAnalytics, sessionIdIn } from './google-analytics.ts';
import { meta } from './meta.ts';
import { tiktok } from './tiktok.ts';
import type { AdNetwork } from './types.ts';

export function configuredNetworks(env: Env): AdNetwork[] {
  const suffix = pixelSuffix(isProduction(env));
  const open = (
    make: (id: string, secret: string, suffix: string) => AdNetwork,
    id: string | undefined,
    secret: string | undefined,
  ) => (id && secret ? [make(id, secret, suffix)] : []);
  return [
    ...open(meta, env.META_PIXEL_ID, env.META_TOKEN),
    ...open(tiktok, env.TIKTOK_PIXEL_ID, env.TIKTOK_TOKEN),
    ...open(googleAnalytics, env.GOOGLE_ANALYTICS_ID, env.GOOGLE_ANALYTICS_SECRET),
  ];
}

/** In production Google Ads imports conversions, so its tag counts none there (specification, section 7). */
export function pixelSettings(env: Env): PixelSettings | null {
  const { GOOGLE_ADS_ID: ads, GOOGLE_ANALYTICS_ID: analytics } = env;
  const production = isProduction(env);
  const label = production ? undefined : env.GOOGLE_ADS_LABEL;
  const configured = {
    meta: env.META_PIXEL_ID,
    tiktok: env.TIKTOK_PIXEL_ID,
    google: ads || analytics ? { ads, label, analytics } : undefined,
    heatmap: env.CLARITY_ID,
    appsflyer: env.APPSFLYER_KEY,
    onelink: env.APPSFLYER_ONELINK,
  };
  if (!Object.values(configured).some(Boolean)) return null;
  return { vendors: env.FAKES_URL ?? '', suffix: pixelSuffix(production), ...configured };
}

const maxUserAgentLength = 512;

/** Each GA4 property has its own session cookie: `_ga_FAKE` for `G-FAKE`. */
function googleSession(c: Context<App>): string | undefined {
  const container = c.env.GOOGLE_ANALYTICS_ID?.replace(/^G-/, '');
  return container && sessionIdIn(readCookie(c, `_ga_${container}`) ?? '');
}

function attributionOf(c: Context<App>, attribution: unknown): Attribution {
  const read = v.safeParse(receivedAttributionSchema, attribution);
  if (!read.success) return {};
  const google_session_id = googleSession(c);
  return {
    ...withoutForeignAppDomain(withRecentClicks(read.output, Date.now()), c.env),
    ...(google_session_id ? { google_session_id } : {}),
  };
}

/** User agent and IP only where a network needs them; null without consent. @param attribution unvalidated */
export function adClickDataOf(c: Context<App>, attribution: unknown): AdClickData | null {
  const { preview, visitor } = c.var;
  const networks = configuredNetworks(c.env);
  const allowed = visitor.permissions.ads && !preview;
  if (!allowed || networks.length === 0) return null;
  const user = attributionOf(c, attribution);
  const needs = networks.map((network) => network.requiredData(user));
  const agent = c.req.header('user-agent')?.slice(0, maxUserAgentLength);
  const address = c.req.header('cf-connecting-ip');
  return {
    user,
    visitor: provenId(visitor) ?? unknownId(),
    ...(agent && needs.some((need) => need.agent) ? { agent } : {}),
    ...(address && needs.some((need) => need.address) ? { address } : {}),
  };
}
