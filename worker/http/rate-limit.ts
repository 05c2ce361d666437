import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { clientIpHash } from './client-ip.ts';

/** Calls that say whether an account exists, open one, or have a mail or a text sent. */
const doors =
  /^\/api\/v1\/(signup|authorize_social_via_access_token|mail-link(\/(check|open))?|deeplink\/(redeem|mail)|invitations\/stop-code)$/;

type Rate = 'POST_RATE_LIMIT' | 'SIGNUP_RATE_LIMIT' | 'REPORT_RATE_LIMIT';

/**
 * Refuses `rate_limited` once an address did something too often. The platform counts, roughly and for
 * each of its places; where it does not, or nobody says the address, everything passes.
 */
export async function consume(c: Context<App>, rate: Rate): Promise<void> {
  const counter = c.env[rate];
  const key = counter && (await clientIpHash(c));
  if (!key) return;
  const { success } = await counter.limit({ key }).catch((error) => {
    const reason = error instanceof Error ? error.name : 'thrown';
    c.var.log('warn', 'rate_limiter_failed', { key: rate, reason });
    return { success: true };
  });
  if (!success) throw new Refusal('rate_limited');
}

/** Counts what changes something; pages and other reads are never counted. */
export const rateLimit = createMiddleware<App>(async (c, next) => {
  const { method } = c.req;
  if (method !== 'GET' && method !== 'HEAD') {
    await consume(c, 'POST_RATE_LIMIT');
    if (doors.test(c.req.path)) await consume(c, 'SIGNUP_RATE_LIMIT');
  }
  await next();
});

/** Counts reports of browsers by themselves: a page that reports much must not keep its reader from paying. */
export const reportRateLimit = createMiddleware<App>(async (c, next) => {
  await consume(c, 'REPORT_RATE_LIMIT');
  await next();
});
