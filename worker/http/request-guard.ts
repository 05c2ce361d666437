import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { every } from 'hono/combine';
import { createMiddleware } from 'hono/factory';
import type { App, Env } from '../platform/env.ts';
import { Refusal } from '../platform/errors.ts';
import { reasonOf } from '../platform/log.ts';
import { clientIpHash, clientSiteHash, siteFactor } from './client-ip.ts';

/** Calls that reveal whether an account exists, open one, or send an e-mail or SMS. */
const sensitivePaths =
  /^\/api\/v1\/(signup|authorize_social_via_access_token|sign-in-link(\/(check|open))?|card-link\/(check|open)|deeplink\/(redeem|email)|invitations\/opt-out-code)$/;

/** Reads that write, call a vendor or start an object. */
const costlyReads =
  /^\/(healthz|status|tiles\.pmtiles|api\/v1\/(users\/me\/|polling\/get-result\/|geocode$|entitlements$))/;

type RateLimiter = Extract<keyof Env, `${string}_RATE_LIMIT`>;

/** True where the limiter fails or the IP is unknown. @param key the client's IP by default */
export async function isWithinRateLimit(
  c: Context<App>,
  name: RateLimiter,
  { key, units = 1 }: { key?: Promise<string | null>; units?: number } = {},
): Promise<boolean> {
  const limiter = c.env[name];
  if (!limiter) return true;
  // A /48 may have ten times the limit, so one call in ten counts for it.
  const isCountedForSite = !key && Math.random() * siteFactor < 1;
  const keys = await Promise.all([key ?? clientIpHash(c), isCountedForSite && clientSiteHash(c)]);
  const calls = keys.flatMap((known) =>
    known ? Array.from({ length: units }, () => limiter.limit({ key: known })) : [],
  );
  const results = await Promise.all(calls).catch((error) => {
    const reason = reasonOf(error);
    c.var.log('warn', 'rate_limiter_failed', { binding: name, reason });
    return [];
  });
  return results.every(({ success }) => success);
}

/** @throws Refusal `rate_limited` */
export async function checkRateLimit(...call: Parameters<typeof isWithinRateLimit>): Promise<void> {
  if (!(await isWithinRateLimit(...call))) throw new Refusal('rate_limited');
}

export const rateLimit = createMiddleware<App>(async (c, next) => {
  const { method } = c.req;
  if (method !== 'GET' && method !== 'HEAD') {
    await checkRateLimit(c, 'POST_RATE_LIMIT');
    if (sensitivePaths.test(c.req.path)) await checkRateLimit(c, 'SIGNUP_RATE_LIMIT');
  } else if (costlyReads.test(c.req.path)) await checkRateLimit(c, 'READ_RATE_LIMIT');
  await next();
});

/** Separate from other POSTs, so that a page with many reports does not keep its visitor from paying. */
const reportRateLimit = createMiddleware<App>(async (c, next) => {
  await checkRateLimit(c, 'REPORT_RATE_LIMIT');
  await next();
});

/** Who sent a request: a page of ours, a page of another site, or no page that the headers name. */
export function senderOf({ headers, url }: Request): 'own' | 'other' | 'unnamed' {
  const site = headers.get('sec-fetch-site');
  if (site === 'none') return 'unnamed';
  if (site) return site === 'same-origin' ? 'own' : 'other';
  const origin = headers.get('origin');
  if (origin === null) return 'unnamed';
  return origin === new URL(url).origin ? 'own' : 'other';
}

export const mediaTypeOf = (request: Request): string =>
  request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';

const sameOrigin = createMiddleware<App>(async (c, next) => {
  const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
  // A client that names no page is not a browser, so it sends no visitor's cookies.
  if (!reads && senderOf(c.req.raw) === 'other') throw new Refusal('cross_origin_request');
  await next();
});

export function limitBody(maxBytes: number) {
  return bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw new Refusal('body_too_large');
    },
  });
}

type Accepts = (type: string, path: string) => boolean;

function requireType(accepts: Accepts) {
  return createMiddleware<App>(async (c, next) => {
    const reads = c.req.method === 'GET' || c.req.method === 'HEAD';
    if (!reads && !accepts(mediaTypeOf(c.req.raw), c.req.path))
      throw new Refusal('unsupported_media_type');
    await next();
  });
}

/** Types that no cross-site form can send, except for events: a beacon cannot send JSON. */
const isCall: Accepts = (type, path) =>
  type === '' ||
  type === 'application/json' ||
  (type === 'text/plain' && path === '/api/v1/events');

const isForm: Accepts = (type) =>
  type === 'application/x-www-form-urlencoded' || type === 'multipart/form-data';

export const requestGuard = every(sameOrigin, rateLimit, limitBody(64 * 1024), requireType(isCall));

export const reportGuard = (maxBytes: number, types: string[]) =>
  every(
    sameOrigin,
    reportRateLimit,
    limitBody(maxBytes),
    requireType((type) => types.includes(type)),
  );

export const formGuard = (maxBytes: number) =>
  every(sameOrigin, rateLimit, limitBody(maxBytes), requireType(isForm));
