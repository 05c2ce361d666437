import type { Queue } from '@cloudflare/workers-types';
import * as v from 'valibot';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { type OperatorCase, operatorCaseQueue } from '../payments/ledger/operator-case-table.ts';
import type { Env } from '../platform/env.ts';
import { Refusal } from '../platform/errors.ts';
import { type Log, logger, reasonOf } from '../platform/log.ts';
import { jsonIn } from '../platform/read-json.ts';
import { audited, commandKey, operatorText } from './audited-command.ts';
import {
  claimDeadLetter,
  type DeadLetter,
  insertDeadLetters,
  listDeadLetters,
  releaseDeadLetter,
} from './dead-letter-table.ts';

const suffix = '-dead';

export const isDeadLetterQueue = (queue: string): boolean => queue.endsWith(suffix);

export async function storeDeadLetters(
  queue: string,
  messages: readonly { id: string; body: unknown }[],
  env: Env,
  log: Log,
): Promise<readonly unknown[]> {
  await insertDeadLetters(env.DB, queue.slice(0, -suffix.length), messages, Date.now());
  log('error', 'dead_letters_stored', { count: messages.length });
  return [];
}

export const queueBindings = new Map<string, Extract<keyof Env, `${string}_QUEUE`>>([
  ['funnel-exposures', 'EXPOSURE_QUEUE'],
  ['funnel-events', 'EVENT_QUEUE'],
  ['funnel-conversions', 'CONVERSION_QUEUE'],
  ['funnel-email', 'EMAIL_QUEUE'],
  ['funnel-sms', 'SMS_QUEUE'],
  ['funnel-webhooks', 'WEBHOOK_QUEUE'],
  ['funnel-entitlements', 'ENTITLEMENT_QUEUE'],
]);

/** @throws RangeError for an unknown queue; the queue's own error when it is down */
export async function requeue({ queue, body }: DeadLetter, env: Env): Promise<void> {
  if (queue === operatorCaseQueue) {
    const { account }: OperatorCase = JSON.parse(body);
    await env.PURCHASES.getByName(account).sync();
    return;
  }
  const binding = queueBindings.get(queue);
  if (!binding) throw new RangeError(`no queue ${queue}`);
  await (env[binding] as Queue<unknown>).send(JSON.parse(body));
}

/** @returns false when this key replayed it before @throws Refusal */
export async function replayOnce(env: Env, id: string, key: string): Promise<boolean> {
  const found = await claimDeadLetter(env.DB, id, key, Date.now());
  if (!found) throw new Refusal('not_found');
  if (!found.claimed) return false;
  try {
    await requeue(found.letter, env);
  } catch (error) {
    logger()('warn', 'dead_letter_replay_failed', {
      queue: found.letter.queue,
      reason: reasonOf(error),
    });
    await releaseDeadLetter(env.DB, id, key);
    throw new Refusal('queue_unavailable');
  }
  return true;
}

/** Newest first; `?all=true` includes replayed ones, `?before=` (epoch ms) is the next page. */
export const getDeadLetters = createHandlers(async (c) => {
  const before = Number(c.req.query('before') ?? Number.MAX_SAFE_INTEGER);
  if (!Number.isSafeInteger(before)) throw new Refusal('malformed_body', 'before');
  const letters = await listDeadLetters(c.env.DB, before, c.req.query('all') === 'true');
  const data = letters.map((letter) => ({ ...letter, body: jsonIn(letter.body) }));
  return c.json({ data });
});

const replayBody = v.object({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(300)),
  reason: v.optional(operatorText, 'replay'),
  key: commandKey,
});

export const replayDeadLetter = createHandlers(jsonBody(replayBody), async (c) => {
  const { id, key, reason } = c.req.valid('json');
  const command = { action: 'replay', target: id, details: { key }, reason };
  const replayed = await audited(
    c,
    command,
    () => replayOnce(c.env, id, key),
    (sent) => (sent ? 'sent' : 'sent before'),
  );
  return c.json({ data: { id, replayed } });
});
