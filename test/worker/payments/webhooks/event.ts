import { createExecutionContext, createMessageBatch, env, getQueueResult } from 'cloudflare:test';
import type { Message } from '@cloudflare/workers-types';
import { vi } from 'vitest';
import type { Env } from '../../../../worker/env.ts';
import worker from '../../../../worker/index.ts';
import type { GatewayEvent } from '../../../../worker/payments/rules/gateway.ts';

/** An event that names nobody. */
export const anEvent = (change: Partial<GatewayEvent> = {}): GatewayEvent => ({
  gateway: 'stripe',
  id: `evt_${crypto.randomUUID()}`,
  type: 'invoice.paid',
  account: null,
  attempt: null,
  customerId: null,
  subscriptionId: null,
  paymentId: null,
  invoiceId: null,
  ...change,
});

/** Hands messages of a queue to the Worker. */
export async function deliver(
  queue: string,
  bodies: readonly unknown[],
  attempts = 1,
  more: Partial<Env> = {},
) {
  const messages = bodies.map((body, index) => ({
    id: `m${index}`,
    timestamp: new Date(),
    attempts,
    body,
  }));
  const batch = createMessageBatch(queue, messages);
  const retry = vi.spyOn(batch.messages[0] as Message, 'retry');
  await worker.queue(batch, { ...env, ...more });
  const { retryMessages } = await getQueueResult(batch, createExecutionContext());
  const delay = retry.mock.calls[0]?.[0]?.delaySeconds;
  return { again: retryMessages.map(({ msgId }) => msgId), delay };
}

/** A queue that keeps what it is sent. */
export function keepingQueue() {
  const sent: unknown[] = [];
  const send = async (body: unknown) => void sent.push(body);
  return { sent, queue: { send } as never };
}

/** A queue, or a database, that is down. */
export const down = {
  send: () => Promise.reject(new Error('down')),
  prepare: () => ({ bind: () => ({ first: fail, run: fail, all: fail }) }),
  batch: () => Promise.reject(new Error('down')),
} as never;

const fail = () => Promise.reject(new Error('down'));
