import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { dayMs } from '../platform/durations.ts';
import type { Env } from '../platform/env.ts';
import { type Log, reasonOf } from '../platform/log.ts';
import { unanswered } from '../platform/unanswered.ts';
import { type Endpoint, endpointOf, recordFailure, recordSuccess } from './endpoint-table.ts';
import { entitlementDocument } from './rules/document.ts';
import { retryDelay, stepAt } from './rules/retry-schedule.ts';
import { entitlementProblems, signingSecrets } from './settings.ts';

const entitlement = v.object({
  slot: v.picklist(['main', 'upsell', 'guide']),
  kind: v.picklist(['plan', 'extra']),
  plan: v.string(),
  reason: v.picklist([
    'subscription',
    'grace',
    'kept_until_end',
    'gift',
    'purchase',
    'provisional',
  ]),
  until: v.nullable(v.number()),
});

const schema = v.object({
  account: v.pipe(v.string(), v.brand('AccountId')),
  version: v.number(),
  active: v.array(entitlement),
  at: v.number(),
});

export type ChangeMessage = v.InferOutput<typeof schema>;

/** 15 to 30 s (Standard Webhooks, "Request timeouts"). */
const timeoutMs = 15_000;
/** An endpoint that fails for this long is disabled. */
const giveUpAfterMs = 5 * dayMs;

function signatureOf(secret: string, content: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

/**
 * Signed according to https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md:
 * the id is the same on each delivery, the timestamp is the delivery's, and each key signs.
 */
function signedRequest(url: string, change: ChangeMessage, secrets: readonly string[]): Request {
  const body = JSON.stringify({
    type: 'entitlements.changed',
    timestamp: new Date(change.at).toISOString(),
    data: entitlementDocument(change),
  });
  const id = `msg_${change.account}_${change.version}`;
  const sentAt = String(Math.floor(Date.now() / 1000));
  const signatures = secrets.map((secret) => signatureOf(secret, `${id}.${sentAt}.${body}`));
  return new Request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'funnel-entitlements/1',
      'webhook-id': id,
      'webhook-timestamp': sentAt,
      'webhook-signature': signatures.join(' '),
    },
    body,
    // "3xx: Failure" ("Delivery success and failure").
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
}

interface Answer {
  status: number;
  retryAfter: string | null;
  reason?: string;
}

async function send(
  url: string,
  change: ChangeMessage,
  secrets: readonly string[],
): Promise<Answer> {
  const request = signedRequest(url, change, secrets);
  try {
    const { status, headers, body } = await fetch(request.url, request);
    await body?.cancel();
    return { status, retryAfter: headers.get('retry-after') };
  } catch (error) {
    return { status: 0, retryAfter: null, reason: reasonOf(error) };
  }
}

const isAccepted = ({ status }: Answer) => status >= 200 && status < 300;
const isGone = ({ status }: Answer) => status === 410;

interface Delivery {
  body: unknown;
  attempts: number;
}

type Receiver = Endpoint & { url: string };

async function deliver(
  { body, attempts }: Delivery,
  { url, ...endpoint }: Receiver,
  env: Env,
  log: Log,
): Promise<number | null> {
  const read = v.safeParse(schema, body);
  if (!read.success) {
    log('error', 'entitlement_change_malformed');
    return null;
  }
  if (endpoint.disabledAt !== null) {
    // D1 keeps the newest state, which is sent when an operator enables the endpoint.
    log('error', 'entitlement_endpoint_disabled');
    return null;
  }
  if (!stepAt(attempts).isDelivery) return stepAt(attempts).delaySeconds;
  const now = Date.now();
  const answer = await send(url, read.output, signingSecrets(env));
  const fields = { status: answer.status, ms: Date.now() - now };
  if (isAccepted(answer)) {
    log('info', 'entitlement_change_delivered', fields);
    if (endpoint.failingSince !== null)
      await recordSuccess(env.DB, url).catch(unanswered(log, 'DB', undefined));
    return null;
  }
  log('warn', 'entitlement_change_failed', { ...fields, reason: answer.reason });
  const givenUpBefore = isGone(answer) ? now + 1 : now - giveUpAfterMs;
  const after = await recordFailure(env.DB, url, now, givenUpBefore).catch(
    unanswered(log, 'DB', null),
  );
  if (!after?.disabledAt) return retryDelay(attempts, answer.retryAfter, now, Math.random());
  log('error', 'entitlement_endpoint_disabled');
  return null;
}

/** At least once, in any order. @returns what to retry, with delays in seconds @throws while settings are invalid */
export async function consumeEntitlementChanges(
  messages: readonly Delivery[],
  env: Env,
  log: Log,
): Promise<ReadonlyMap<unknown, number>> {
  const { ENTITLEMENT_WEBHOOK_URL: url } = env;
  if (!url) return new Map();
  if (entitlementProblems(env).length > 0) throw new Error('misconfigured');
  const endpoint = await endpointOf(env.DB, url).catch(
    unanswered(log, 'DB', { failingSince: null, disabledAt: null }),
  );
  const delays = await Promise.all(
    messages.map((message) => deliver(message, { url, ...endpoint }, env, log)),
  );
  return new Map(
    messages.flatMap(({ body }, at): [unknown, number][] => {
      const delay = delays[at] ?? null;
      return delay === null ? [] : [[body, delay]];
    }),
  );
}
