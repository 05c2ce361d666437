import type { Queue } from '@cloudflare/workers-types';
import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import type { OperatorCase } from '../payments/purchase-projection.ts';
import { operatorCaseQueue } from '../payments/purchase-projection.ts';
import { type DeadLetter, insertDeadLetters } from './dead-letter-table.ts';

/** How a queue's dead-letter queue is called (wrangler.toml). */
const suffix = '-dead';

/** Whether what comes from a queue was given up by another. */
export const isDeadLetterQueue = (queue: string): boolean => queue.endsWith(suffix);

/** Keeps messages that a queue gave up, so that an operator can look at them and replay them. */
export async function storeDeadLetters(
  queue: string,
  messages: readonly { id: string; body: unknown }[],
  env: Env,
  log: Log,
): Promise<readonly unknown[]> {
  await insertDeadLetters(env.DB, queue.slice(0, -suffix.length), messages, Date.now());
  log('error', 'dead_letter', { count: messages.length });
  return [];
}

const bindings = new Map<string, Extract<keyof Env, `${string}_QUEUE`>>([
  ['funnel-exposures', 'EXPOSURE_QUEUE'],
  ['funnel-events', 'EVENT_QUEUE'],
  ['funnel-conversions', 'CONVERSION_QUEUE'],
  ['funnel-email', 'EMAIL_QUEUE'],
  ['funnel-sms', 'SMS_QUEUE'],
  ['funnel-webhooks', 'WEBHOOK_QUEUE'],
]);

/**
 * Requeues a dead letter. An operator case has its account ask the gateways again instead.
 *
 * @throws RangeError for an unknown queue; the queue's own error when it is down
 */
export async function replay({ queue, body }: DeadLetter, env: Env): Promise<void> {
  if (queue === operatorCaseQueue) {
    const { account } = JSON.parse(body) as OperatorCase;
    await env.PURCHASES.getByName(account).sync();
    return;
  }
  const binding = bindings.get(queue);
  if (!binding) throw new RangeError(`no queue ${queue}`);
  await (env[binding] as Queue<unknown>).send(JSON.parse(body));
}
