import * as v from 'valibot';
import { endpointOf, recordSuccess } from '../entitlements/endpoint-table.ts';
import { changedSince } from '../entitlements/entitlement-table.ts';
import { signingSecrets } from '../entitlements/settings.ts';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { pageOfAll } from '../platform/account-databases.ts';
import { Refusal } from '../platform/errors.ts';
import { unanswered } from '../platform/unanswered.ts';
import { audited, operatorText } from './audited-command.ts';

/** The endpoint's host, number of keys and failures. Times in ms since 1970. */
export const getEntitlementWebhook = createHandlers(async (c) => {
  const { ENTITLEMENT_WEBHOOK_URL: url, DB } = c.env;
  if (!url) return c.json({ data: { host: null } });
  const { failingSince, disabledAt } = await endpointOf(DB, url);
  const { host = null } = URL.parse(url) ?? {};
  const keys = signingSecrets(c.env).length;
  return c.json({ data: { host, keys, failing_since: failingSince, disabled_at: disabledAt } });
});

/** The most accounts per call; the caller continues with `after`. */
const pageSize = 1_000;
/** The maximum of one `sendBatch`. */
const batchSize = 100;

const resendBody = v.object({
  /** Ms since 1970; by default since the endpoint started to fail. */
  since: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  /** `next` of the previous page. */
  after: v.optional(v.pipe(v.string(), v.regex(/^\[\d{1,16},"[\w-]{1,100}"\]$/))),
  reason: operatorText,
});

/** One page of accounts per call. A state that was delivered before keeps its message id. */
export const resendEntitlements = createHandlers(jsonBody(resendBody), async (c) => {
  const { since: named, after = '', reason } = c.req.valid('json');
  const { ENTITLEMENT_WEBHOOK_URL: url, ENTITLEMENT_QUEUE, DB } = c.env;
  if (!url) throw new Refusal('not_found');
  const since = named ?? (await endpointOf(DB, url)).failingSince ?? Date.now();
  const details = { since, after };
  const command = { action: 'resend', target: 'entitlements', details, reason };
  const result = await audited(
    c,
    command,
    async () => {
      const [, last = '']: [number?, string?] = after ? JSON.parse(after) : [];
      const changes = await pageOfAll(c.env, last, pageSize, (db, isContinued, limit) =>
        changedSince(db, since, isContinued ? after : '', limit),
      );
      for (let at = 0; at < changes.length; at += batchSize) {
        const batch = changes.slice(at, at + batchSize).map((body) => ({ body }));
        await ENTITLEMENT_QUEUE.sendBatch(batch).catch((error) => {
          unanswered(c.var.log, 'ENTITLEMENT_QUEUE', null)(error);
          throw new Refusal('queue_unavailable');
        });
      }
      await recordSuccess(DB, url);
      return changes;
    },
    (changes) => `queued ${changes.length}`,
  );
  const last = result.at(-1);
  const next = last && result.length === pageSize ? JSON.stringify([last.at, last.account]) : null;
  return c.json({ data: { queued: result.length, since, next } });
});
