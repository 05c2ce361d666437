import * as v from 'valibot';
import { Refusal, unlessRefused } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { smsLimiter } from '../invitations/sms/sms-limiter-object.ts';
import { accountOfSubscription, payerOf } from '../payments/purchase-lookup.ts';
import type { AccountId } from '../types.ts';
import { audited, commandKey, operatorText } from './audited-command.ts';

const refundBody = v.object({
  payment_id: v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/), v.brand('PaymentId')),
  /** Minor units; null refunds all that remains. */
  amount: v.nullish(v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.brand('Minor')), null),
  reason: operatorText,
  key: commandKey,
  operator: v.optional(operatorText),
});

/** Refunds once per key, never more than remains; a repetition answers the first result. */
export const refundPayment = createHandlers(jsonBody(refundBody), async (c) => {
  const { payment_id: target, amount, reason, key, operator } = c.req.valid('json');
  const command = { operator, action: 'refund', target, details: { amount, key }, reason };
  const refunded = await audited(
    c,
    command,
    async () => {
      const account = await payerOf(c.env.DB, target);
      if (account === null) throw new Refusal('payment_unknown');
      const purchases = c.env.PURCHASES.getByName(account);
      // The payment is part of the key: the same key for another payment is another command.
      const result = await purchases.refund(target, amount, `${target}:${key}`);
      if (result.kind === 'refused' && result.refusal === 'refund_refused') {
        c.var.log('warn', 'refund_refused', { reason: result.reason });
      }
      return unlessRefused(result).amount;
    },
    (amountMinor) => `refunded ${amountMinor}`,
  );
  if (amount !== null && amount !== refunded) throw new Refusal('idempotency_key_reused');
  return c.json({ data: { payment_id: target, refunded } });
});

const reasonBody = v.object({ reason: operatorText, operator: v.optional(operatorText) });

export const endSubscription = createHandlers(jsonBody(reasonBody), async (c) => {
  const { reason, operator } = c.req.valid('json');
  const target = (c.req.param('attempt') ?? '').slice(0, 100);
  const { subscription } = await audited(
    c,
    { operator, action: 'end', target, details: {}, reason },
    async () => {
      const account = await accountOfSubscription(c.env.DB, target);
      const ended =
        account && (await c.env.PURCHASES.getByName(account).cancelSubscription(target));
      if (!ended) throw new Refusal('not_found');
      return ended;
    },
    () => 'asked to end',
  );
  const { plan, status, paidUntil, ends, cancelAskedAt } = subscription;
  const paid = { paid_until: paidUntil, ends, cancel_asked_at: cancelAskedAt };
  return c.json({ data: { attempt: target, plan, status, ...paid } });
});

export const releaseRequester = createHandlers(jsonBody(reasonBody), async (c) => {
  const { reason, operator } = c.req.valid('json');
  const target = (c.req.param('account') ?? '').slice(0, 100) as AccountId;
  await audited(
    c,
    { operator, action: 'release', target, details: {}, reason },
    async () => {
      if (!(await smsLimiter(c.env).endSuspension(target))) throw new Refusal('not_found');
    },
    () => 'released',
  );
  return c.json({ data: { account: target } });
});
