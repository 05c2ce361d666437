import * as v from 'valibot';
import { requestEventErasure } from '../analytics/erase-visitor.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { raisePage } from '../payments/subscriptions/raise-page.ts';
import { Refusal } from '../platform/errors.ts';
import { accountIdOf, asVisitorId, attemptIdOf, epochMs } from '../platform/types.ts';
import { audited, commandKey, operatorText } from './audited-command.ts';
import { endAsOperator, refundAsOperator, releaseRequester } from './commands.ts';

const refundBody = v.object({
  payment_id: v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/), v.brand('PaymentId')),
  amount: v.nullish(v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.brand('Minor')), null),
  reason: operatorText,
  key: commandKey,
});

/** Refunds once per key, never more than remains; a repeated call returns the first result. */
export const postRefund = createHandlers(jsonBody(refundBody), async (c) => {
  const { payment_id: target, amount, reason, key } = c.req.valid('json');
  const command = { action: 'refund', target, details: { amount, key }, reason };
  const refunded = await audited(
    c,
    command,
    () => refundAsOperator(c.env, c.var.log, { paymentId: target, amount, key }),
    (made) => `refunded ${made.amount} ${made.currency}`,
  );
  if (amount !== null && amount !== refunded.amount) throw new Refusal('idempotency_key_reused');
  const { currency, remaining } = refunded;
  return c.json({ data: { payment_id: target, refunded: refunded.amount, currency, remaining } });
});

const reasonBody = v.object({ reason: operatorText });

export const postSubscriptionEnd = createHandlers(jsonBody(reasonBody), async (c) => {
  const { reason } = c.req.valid('json');
  const target = attemptIdOf((c.req.param('attempt') ?? '').slice(0, 100));
  const subscription = await audited(
    c,
    { action: 'end', target, details: {}, reason },
    () => endAsOperator(c.env, target),
    () => 'cancellation requested',
  );
  const { plan, status, paidUntil, ends, cancelRequestedAt } = subscription;
  const paid = { paid_until: paidUntil, ends, cancel_requested_at: cancelRequestedAt };
  return c.json({ data: { attempt: target, plan, status, ...paid } });
});

const raiseBody = v.object({
  version: v.pipe(v.string(), v.maxLength(64)),
  /** Ms since 1970: no renewal before it costs more. */
  from: v.pipe(v.number(), v.safeInteger(), v.transform(epochMs)),
  after: v.pipe(v.string(), v.maxLength(100)),
  start: v.boolean(),
  reason: operatorText,
});

/** Lists the subscriptions of a product, and announces the higher price to their owners if `start` is true. */
export const postPriceRaise = createHandlers(jsonBody(raiseBody), async (c) => {
  const { version, from, after, start: isStart, reason } = c.req.valid('json');
  const run = () => raisePage(c.env, { version, from, after, isStart });
  if (!isStart) return c.json({ data: await run() });
  const command = { action: 'raise', target: version, details: { from, after }, reason };
  const data = await audited(
    c,
    command,
    run,
    ({ rows }) => `${rows.filter(({ state }) => state === 'announced').length} announced`,
  );
  return c.json({ data });
});

/** For a visitor without an account; owners of an account delete it instead. */
export const postEventErasure = createHandlers(jsonBody(reasonBody), async (c) => {
  const { reason } = c.req.valid('json');
  const target = asVisitorId(c.req.param('visitor') ?? '');
  await audited(
    c,
    { action: 'erase-events', target, details: {}, reason },
    () => requestEventErasure(c.env, target),
    () => 'requested',
  );
  return c.json({ data: { visitor: target } });
});

export const postRequesterRelease = createHandlers(jsonBody(reasonBody), async (c) => {
  const { reason } = c.req.valid('json');
  const target = accountIdOf((c.req.param('account') ?? '').slice(0, 100));
  await audited(
    c,
    { action: 'release', target, details: {}, reason },
    () => releaseRequester(c.env, target),
    () => 'released',
  );
  return c.json({ data: { account: target } });
});
