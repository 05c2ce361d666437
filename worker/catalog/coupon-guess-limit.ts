import type { Context } from 'hono';
import type { App } from '../env.ts';
import { ipLimits } from '../http/client-ip.ts';
import { hmacOf } from '../http/hmac.ts';
import { hasRoom, type Limit, reserveUse } from '../http/rate-count-table.ts';
import { signingSecret } from '../http/signing-secret.ts';
import { discountOf } from './coupons.ts';
import type { Plan } from './plans.ts';

const tenMinutes = 10 * 60_000;
/** Codes that are no good: of one visitor or address within ten minutes, of all within an hour. */
const wrong = { most: 20, mostInSurge: 5, surge: 1000 };

const ofAll: Limit = { name: 'coupon all', max: wrong.surge, windowMs: 60 * 60_000 };

/** During a surge everybody gets fewer, and still some, so that nobody can shut buyers out. */
async function limitsOf(c: Context<App>): Promise<Limit[]> {
  const calm = await hasRoom(c.env.DB, [ofAll], Date.now());
  if (!calm) c.var.log('error', 'coupons_surge', { count: wrong.surge });
  const max = calm ? wrong.most : wrong.mostInSurge;
  const visitor = await hmacOf(signingSecret(c.env), 'visitor', c.var.visitor.uuid);
  return [
    { name: `coupon visitor ${visitor}`, max, windowMs: tenMinutes },
    ...(await ipLimits(c, { name: 'coupon', max, windowMs: tenMinutes })),
    // Only counted: what it is for is the surge.
    { ...ofAll, max: Number.MAX_SAFE_INTEGER },
  ];
}

/**
 * What a code that somebody typed takes off a plan; `rate_limited` after too many that were no good. A
 * code is counted before the look, so that many at once get no further than one after another.
 */
export async function typedDiscount(c: Context<App>, code: string, plan: Plan) {
  const giveBack = await reserveUse(c.env.DB, await limitsOf(c), Date.now());
  if (!giveBack) return { refusal: 'rate_limited' } as const;
  const found = discountOf(c.var.assignment.configuration.coupons, code, plan, Date.now());
  if (!('refusal' in found)) await giveBack();
  return found;
}
