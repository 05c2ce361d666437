import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { clientIpHash } from './client-ip.ts';

/** Calls that reveal whether an account exists, open one, or send an e-mail or SMS. */
const sensitivePaths =
  /^\/api\/v1\/(signup|authorize_social_via_access_token|sign-in-link(\/(check|open))?|deeplink\/(redeem|email)|invitations\/opt-out-code)$/;

type RateLimiter = 'POST_RATE_LIMIT' | 'SIGNUP_RATE_LIMIT' | 'REPORT_RATE_LIMIT';

/** @throws Refusal `rate_limited`; everything passes where the limiter fails or the IP is unknown */
export async function checkRateLimit(c: Context<App>, name: RateLimiter): Promise<void> {
  const limiter = c.env[name];
  const key = limiter && (await clientIpHash(c));
  if (!key) return;
  const { success } = await limiter.limit({ key }).catch((error) => {
    const reason = error instanceof Error ? error.name : 'thrown';
    c.var.log('warn', 'rate_limiter_failed', { binding: name, reason });
    return { success: true };
  });
  if (!success) throw new Refusal('rate_limited');
}

export const rateLimit = createMiddleware<App>(async (c, next) => {
  const { method } = c.req;
  if (method !== 'GET' && method !== 'HEAD') {
    await checkRateLimit(c, 'POST_RATE_LIMIT');
    if (sensitivePaths.test(c.req.path)) await checkRateLimit(c, 'SIGNUP_RATE_LIMIT');
  }
  await next();
});

/** Separate from other POSTs: a page that reports a lot must not keep its visitor from paying. */
export const reportRateLimit = createMiddleware<App>(async (c, next) => {
  await checkRateLimit(c, 'REPORT_RATE_LIMIT');
  await next();
});
