import { timingSafeEqual } from 'node:crypto';
import { createMiddleware } from 'hono/factory';
import type { App } from '../env.ts';
import { Refusal } from '../errors.ts';

const digestOf = async (text: string) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));

/** Whether two secrets are the same, in a time that says nothing about either. */
export async function isEqualConstantTime(a: string, b: string): Promise<boolean> {
  return timingSafeEqual(await digestOf(a), await digestOf(b));
}

/**
 * Lets operators in, who have `ADMIN_TOKEN` as bearer token. To everybody else, and to all when it
 * is not set, there is nothing here: `not_found`.
 */
export const requireOperator = createMiddleware<App>(async (c, next) => {
  const wanted = c.env.ADMIN_TOKEN;
  const token = /^bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  if (!wanted || !token || !(await isEqualConstantTime(token, wanted)))
    throw new Refusal('not_found');
  await next();
  c.header('Cache-Control', 'no-store');
});
