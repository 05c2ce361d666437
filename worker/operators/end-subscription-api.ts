import * as v from 'valibot';
import { Refusal } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { accountOfSubscription } from '../payments/purchase-lookup.ts';
import { audited, typed } from './audited-command.ts';

const end = v.object({ reason: typed, who: v.optional(typed) });

/** `POST /holdings/:attempt/end` ends the renewals of what an attempt bought; what is paid runs on. */
export const endSubscription = createHandlers(jsonBody(end), async (c) => {
  const { reason, who } = c.req.valid('json');
  const target = (c.req.param('attempt') ?? '').slice(0, 100);
  const held = await audited(
    c,
    { who, what: 'end', target, details: {}, reason },
    async () => {
      const account = await accountOfSubscription(c.env.DB, target);
      const found = account && (await c.env.PURCHASES.getByName(account).end(target));
      if (!found) throw new Refusal('not_found');
      return found;
    },
    () => 'asked to end',
  );
  const { plan, status, paidUntil, ends, cancelAskedAt } = held.bought;
  const paid = { paid_until: paidUntil, ends, cancel_asked_at: cancelAskedAt };
  return c.json({ data: { attempt: target, plan, status, ...paid } });
});
