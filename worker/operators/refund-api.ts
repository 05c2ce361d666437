import * as v from 'valibot';
import { Refusal } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { payerOf } from '../payments/purchase-lookup.ts';
import { audited, commandKey, typed } from './audited-command.ts';

const refund = v.object({
  payment_id: v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/)),
  /** Minor units; all that is left of the payment when there is none. */
  amount: v.nullish(v.pipe(v.number(), v.safeInteger(), v.minValue(1)), null),
  reason: typed,
  key: commandKey,
  who: v.optional(typed),
});

const codes = {
  unknown_payment: 'payment_unknown',
  refund_too_large: 'refund_too_large',
  refund_refused: 'refund_refused',
  gateway_ambiguous: 'gateway_ambiguous',
} as const;

/**
 * `POST /refunds` gives money back: never more than is left of the payment, and once for a key. A
 * repetition answers what the first one gave back.
 */
export const refundPayment = createHandlers(jsonBody(refund), async (c) => {
  const { payment_id: target, amount, reason, key, who } = c.req.valid('json');
  const deed = { who, what: 'refund', target, details: { amount, key }, reason };
  const refunded = await audited(
    c,
    deed,
    async () => {
      const account = await payerOf(c.env.DB, target);
      if (account === null) throw new Refusal('payment_unknown');
      const purchases = c.env.PURCHASES.getByName(account);
      // A key is a command's, and a command is about one payment.
      const result = await purchases.refund(target, amount, `${target}:${key}`);
      if ('refunded' in result) return result.refunded;
      if ('reason' in result) c.var.log('warn', 'refund_refused', { reason: result.reason });
      throw new Refusal(codes[result.refusal]);
    },
    (minor) => `refunded ${minor}`,
  );
  if (amount !== null && amount !== refunded) throw new Refusal('idempotency_key_reused');
  return c.json({ data: { payment_id: target, refunded } });
});
