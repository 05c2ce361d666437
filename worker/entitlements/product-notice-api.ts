import * as v from 'valibot';
import { findAccountByEmail } from '../accounts/account-by-email.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { limitBody } from '../http/request-guard.ts';
import { Refusal } from '../platform/errors.ts';
import { serverKey } from './entitlements-api.ts';

const ms = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const notice = v.object({
  /** With which the user signed up. */
  email: v.pipe(v.string(), v.maxLength(254)),
  external_user_id: v.pipe(v.union([v.string(), v.number()]), v.transform(String)),
  access_until: ms,
  changed_at: ms,
});

const maxBytes = 16 * 1024;

/** An outside product says until when its user's plan is paid. `not_found`: the account is another user's, or missing. */
export const receiveProductNotice = createHandlers(
  limitBody(maxBytes),
  serverKey,
  jsonBody(notice),
  async (c) => {
    const {
      email,
      external_user_id: user,
      access_until: until,
      changed_at: at,
    } = c.req.valid('json');
    const account = await findAccountByEmail(c.env, email);
    const isTaken =
      account &&
      (await c.env.PURCHASES.getByName(account.id).takeProductNotice(account.id, {
        user,
        until,
        at,
      }));
    if (!isTaken) throw new Refusal('not_found');
    return c.json({ received: true });
  },
);
