import * as v from 'valibot';
import { Refusal } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { smsLimiterOf } from '../invitations/sms/sms-limiter-object.ts';
import { audited, typed } from './audited-command.ts';

const release = v.object({ reason: typed, who: v.optional(typed) });

/** `POST /requesters/:account/release` lets an account invite again that somebody reported. */
export const releaseRequester = createHandlers(jsonBody(release), async (c) => {
  const { reason, who } = c.req.valid('json');
  const target = (c.req.param('account') ?? '').slice(0, 100);
  await audited(
    c,
    { who, what: 'release', target, details: {}, reason },
    async () => {
      if (!(await smsLimiterOf(c.env).release(target))) throw new Refusal('not_found');
    },
    () => 'released',
  );
  return c.json({ data: { account: target } });
});
