import * as v from 'valibot';
import { digitsOf } from '../../locales/format/plain-text.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { accountDatabase } from '../platform/account-databases.ts';
import { Refusal } from '../platform/errors.ts';
import { provenId } from '../platform/types.ts';
import { accessToken, bearer } from './access-token.ts';
import { mayRequestEmail, nextEmailAt } from './email-limits.ts';
import { redeemMailboxCode } from './mailbox-code-table.ts';
import { emailCodeTo } from './sign-in-link-api.ts';
import { proveMailbox } from './signup-api.ts';

const typedDigits = jsonBody(
  v.object({ digits: v.pipe(v.string(), v.maxLength(20), v.transform(digitsOf)) }),
  { digits: 'mailbox_code_wrong' },
);

export const emailMailboxCode = createHandlers(bearer, async (c) => {
  const isWithinIp = await mayRequestEmail(c);
  if (c.var.session.verifiedAt === null)
    await emailCodeTo(c, c.var.session, 'confirm_email', { isWithinIp });
  const limitMs = (await nextEmailAt(c, c.var.session)) - Date.now();
  return c.json({ data: { wait_ms: Math.max(limitMs, deliveryMs) } }, 202);
});

/** Most mailboxes have the e-mail by then. */
const deliveryMs = 30_000;

/** The caller's session continues with the new token; every other one ends. */
export const confirmMailbox = createHandlers(bearer, typedDigits, async (c) => {
  const { account, session } = c.var;
  const { digits } = c.req.valid('json');
  const confirmed =
    session.verifiedAt === null
      ? await redeemMailboxCode(
          c.env,
          accountDatabase(c.env, account),
          { account, browser: provenId(c.var.visitor), digits },
          Date.now(),
        )
      : session;
  if (!confirmed) throw new Refusal('mailbox_code_wrong');
  await proveMailbox(c, session);
  return c.json({
    data: { access_token: await accessToken(c.env, { account, epoch: confirmed.epoch }) },
  });
});
