import { timingSafeEqual } from 'node:crypto';
import { createMiddleware } from 'hono/factory';
import { hourMs } from '../durations.ts';
import { type App, type Env, isProduction } from '../env.ts';
import { Refusal } from '../errors.ts';
import { ipLimits } from '../http/client-ip.ts';
import { minSecretLength } from '../http/hmac.ts';
import { reserveUse } from '../storage/rate-count-table.ts';

/** Per IP; above it even the right token is refused. */
const wrongTokens = { name: 'operator', max: 20, windowMs: hourMs };

/** Whether `ADMIN_TOKEN` may be used; outside production a short one is accepted. */
export function isAdminTokenValid(env: Env): boolean {
  const { length } = env.ADMIN_TOKEN ?? '';
  return length >= (isProduction(env) ? minSecretLength : 1);
}

const digestOf = async (text: string) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));

export async function isEqualConstantTime(a: string, b: string): Promise<boolean> {
  return timingSafeEqual(await digestOf(a), await digestOf(b));
}

/** Without a usable `ADMIN_TOKEN` as bearer token the path does not exist (`not_found`). */
export const requireOperator = createMiddleware<App>(async (c, next) => {
  const { ADMIN_TOKEN: expected } = c.env;
  const token = /^bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  const refuse = (reason: string) => {
    c.var.log('warn', 'operator_auth_failed', { reason });
    throw new Refusal('not_found');
  };
  if (!expected || !token) throw new Refusal('not_found');
  if (!isAdminTokenValid(c.env)) return refuse('token_short');
  // Counted before the comparison, so that parallel attempts do not exceed the limit.
  const releaseUse = await reserveUse(c.env.DB, await ipLimits(c, wrongTokens), Date.now());
  if (!releaseUse) return refuse('too_many_attempts');
  if (!(await isEqualConstantTime(token, expected))) return refuse('token_wrong');
  await releaseUse();
  await next();
  c.header('Cache-Control', 'no-store');
});
