import type { Context } from 'hono';
import * as v from 'valibot';
import { decimal } from '../../locales/format/currency.ts';
import { ipLimits } from '../http/client-ip.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { hourMs, minuteMs } from '../platform/durations.ts';
import type { App } from '../platform/env.ts';
import { Refusal, refused, throwIfRefused } from '../platform/errors.ts';
import { hmacOf, signingSecret } from '../platform/hmac.ts';
import {
  isBelowSurge,
  type Limit,
  reserveUse,
  withoutLimit,
} from '../platform/rate-count-table.ts';
import { renewalTexts } from './checkout-terms.ts';
import { hasRedemptionLeft } from './coupon-redemption-table.ts';
import { requirePlan } from './require-plan.ts';
import { discountOf } from './rules/coupons.ts';
import type { Plan } from './rules/plans.ts';

const tenMinutesMs = 10 * minuteMs;
const wrongCodes = { max: 20, maxInSurge: 5, surge: 1000 };

const surgeLimit: Limit = { name: 'coupon:all', max: wrongCodes.surge, windowMs: hourMs };

/** A surge lowers the limit for everyone, but not to zero, so that an attacker cannot lock buyers out. */
async function limitsOf(c: Context<App>): Promise<Limit[]> {
  const isBelow = await isBelowSurge(c.env.DB, surgeLimit, 'coupon_guessing_detected', c.var.log);
  const max = isBelow ? wrongCodes.max : wrongCodes.maxInSurge;
  const { uuid, key } = c.var.visitor;
  const visitor = key === null ? null : await hmacOf(signingSecret(c.env), 'visitor', uuid);
  return [
    ...(visitor ? [{ name: `coupon:visitor:${visitor}`, max, windowMs: tenMinutesMs }] : []),
    ...(await ipLimits(c, { name: 'coupon', max, windowMs: tenMinutesMs })),
    withoutLimit(surgeLimit),
  ];
}

/** A code counts as wrong until it proves right, so parallel guesses get no further than sequential ones. */
export async function typedDiscount(c: Context<App>, code: string, plan: Plan) {
  const release = await reserveUse(c.env.DB, await limitsOf(c), Date.now());
  if (!release) return refused('rate_limited');
  const found = discountOf(c.var.assignment.configuration.coupons, code, plan, Date.now());
  if (found.kind === 'discount') await release();
  return found;
}

const body = jsonBody(
  v.object({
    coupon: v.pipe(v.string(), v.maxLength(64)),
    plan: v.pipe(v.string(), v.maxLength(64)),
  }),
  { coupon: 'coupon_unknown' },
);

export const checkCoupon = createHandlers(body, async (c) => {
  const { coupon, plan: planId } = c.req.valid('json');
  const plan = requirePlan(c, planId);
  const { code, discount, limit, reduction } = throwIfRefused(await typedDiscount(c, coupon, plan));
  if (limit && !(await hasRedemptionLeft(c.env.DB, code, limit)))
    throw new Refusal('coupon_used_up');
  const price = plan.today - discount;
  const texts = renewalTexts(
    { ...plan, ...(reduction && { reduction }) },
    c.var.visitor,
    Date.now(),
  );
  return c.json({
    data: {
      ...{ code, plan: plan.id, discount },
      price_with_discount: decimal(price, plan.currency),
      ...(reduction && {
        renewals: reduction.renewals,
        renewal_discount: reduction.off,
        rows: texts.map((text) => [text.date, text.price]),
        sentence: texts.map(({ sentence }) => sentence).join(' · '),
      }),
    },
  });
});
