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

const isQueue = (binding: unknown): binding is Queue<unknown> =>
  typeof binding === 'object' && binding !== null && 'send' in binding;

/**
 * Sends a dead letter to the queue that it came from: `funnel-webhooks` is the binding `WEBHOOK_QUEUE`. An
 * attempt whose outcome nobody knows is looked up at its gateway.
 *
 * @throws when there is no such queue, or it does not take the message
 */
export async function replay({ queue, body }: DeadLetter, env: Env): Promise<void> {
  if (queue === operatorCaseQueue) {
    const { account } = JSON.parse(body) as OperatorCase;
    await env.PURCHASES.getByName(account).sync();
    return;
  }
  const name = queue.replace(/^funnel-/, '').toUpperCase();
  const binding: unknown = env[name as keyof Env];
  if (!isQueue(binding)) throw new RangeError(`no queue ${queue}`);
  await binding.send(JSON.parse(body));
}
