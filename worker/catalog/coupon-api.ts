import * as v from 'valibot';
import { Refusal, unlessRefused } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { typedDiscount } from './coupon-guess-limit.ts';
import { hasRedemptionLeft } from './coupon-redemption-table.ts';
import { decimal, planById } from './plans.ts';

const body = v.object({
  coupon: v.pipe(v.string(), v.maxLength(64)),
  plan: v.pipe(v.string(), v.maxLength(64)),
});

export const checkCoupon = createHandlers(jsonBody(body), async (c) => {
  const { coupon, plan: id } = c.req.valid('json');
  const plan = planById(id);
  if (!plan) throw new Refusal('unknown_plan');
  const { code, discount, limit } = unlessRefused(await typedDiscount(c, coupon, plan));
  if (limit && !(await hasRedemptionLeft(c.env.DB, code, limit)))
    throw new Refusal('coupon_used_up');
  const price = plan.today - discount;
  return c.json({ data: { code, plan: id, discount, price_with_discount: decimal(price) } });
});
