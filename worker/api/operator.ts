import { timingSafeEqual } from 'node:crypto';
import { createMiddleware } from 'hono/factory';
import { limitsOfAddress } from '../address-key.ts';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';
import { isAdminTokenGood } from '../secret-problems.ts';
import { reserveUse } from '../storage/rate-counts.ts';

/** Wrong tokens that an address may try within an hour; then no token lets it in. */
const wrongTries = { name: 'operator', most: 20, span: 60 * 60_000 };

const digestOf = async (text: string) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));

/** Whether two secrets are the same, in a time that says nothing about either. */
export async function areSame(a: string, b: string): Promise<boolean> {
  return timingSafeEqual(await digestOf(a), await digestOf(b));
}

/**
 * Lets operators in, who have `ADMIN_TOKEN` as bearer token. To everybody else, and to all when it
 * is not set or too short, there is nothing here: `not_found`.
 */
export const operator = createMiddleware<App>(async (c, next) => {
  const { ADMIN_TOKEN: wanted } = c.env;
  const token = /^bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  const refuse = (reason: string) => {
    c.var.log('warn', 'operator_refused', { reason });
    throw new Refusal('not_found');
  };
  if (!wanted || !token) throw new Refusal('not_found');
  if (!isAdminTokenGood(c.env)) return refuse('token_short');
  const limits = await limitsOfAddress(c, wrongTries);
  // Counted before the comparison, so that tries at once are no more than tries one by one.
  const giveBack = await reserveUse(c.env.DB, limits, Date.now());
  if (!giveBack) return refuse('tries_enough');
  if (!(await areSame(token, wanted))) return refuse('token_wrong');
  await giveBack();
  await next();
  c.header('Cache-Control', 'no-store');
});
