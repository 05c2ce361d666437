import { timingSafeEqual } from 'node:crypto';
import { createMiddleware } from 'hono/factory';
import { ipLimits } from '../http/client-ip.ts';
import { hourMs } from '../platform/durations.ts';
import { type App, type Env, isProduction } from '../platform/env.ts';
import { Refusal } from '../platform/errors.ts';
import { minSecretLength } from '../platform/hmac.ts';
import { reserveUse } from '../platform/rate-count-table.ts';

/** Per IP; above it even the right token is refused. */
const wrongTokens = { name: 'operator', max: 20, windowMs: hourMs };

declare module 'hono' {
  interface ContextVariableMap {
    /** Whom the token names; null for a token that several people may share. */
    operator?: string | null;
  }
}

interface AdminToken {
  operator: string | null;
  token: string;
}

/** `ADMIN_TOKEN` is one token, or one for each operator: `ann=…,bob=…`. */
const adminTokens = (env: Env): AdminToken[] =>
  (env.ADMIN_TOKEN ?? '').split(',').flatMap((entry) => {
    const named = /^\s*([\w.@+-]{1,60})=([^=\s]+)\s*$/.exec(entry);
    if (named) return [{ operator: named[1] ?? null, token: named[2] ?? '' }];
    return entry.trim() ? [{ operator: null, token: entry.trim() }] : [];
  });

/** Whether `ADMIN_TOKEN` may be used; outside production short tokens are accepted. */
export function isAdminTokenValid(env: Env): boolean {
  const minLength = isProduction(env) ? minSecretLength : 1;
  return adminTokens(env).every(({ token }) => token.length >= minLength);
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
  const matches = await Promise.all(
    adminTokens(c.env).map(async (each) =>
      (await isEqualConstantTime(token, each.token)) ? each : null,
    ),
  );
  const match = matches.find((each) => each !== null);
  if (!match) return refuse('token_wrong');
  await releaseUse();
  c.set('operator', match.operator);
  await next();
  c.header('Cache-Control', 'no-store');
});
