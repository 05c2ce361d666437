import { createExecutionContext, createMessageBatch, env, getQueueResult } from 'cloudflare:test';
import type { Message } from '@cloudflare/workers-types';
import { vi } from 'vitest';
import worker from '../../worker/index.ts';
import type { Env } from '../../worker/platform/env.ts';

/** Passes messages of a queue to the Worker. @returns the messages to retry, and the delay of the first one */
export async function deliverToQueue(
  queue: string,
  bodies: readonly unknown[],
  attempts = 1,
  more: Partial<Env> = {},
) {
  const timestamp = new Date();
  const messages = bodies.map((body, at) => ({ id: `m${at}`, timestamp, attempts, body }));
  const batch = createMessageBatch(queue, messages);
  const retry = vi.spyOn(batch.messages[0] as Message, 'retry');
  await worker.queue(batch, { ...env, ...more });
  const { ackAll, retryMessages } = await getQueueResult(batch, createExecutionContext());
  const delay = retry.mock.calls[0]?.[0]?.delaySeconds;
  return { ackAll, again: retryMessages.map(({ msgId }) => msgId), delay };
}

/** A queue that records its messages. */
export function recordingQueue<Message = unknown>() {
  const sent: Message[] = [];
  const send = async (body: Message) => void sent.push(body);
  const sendBatch = async (messages: { body: Message }[]) =>
    void sent.push(...messages.map(({ body }) => body));
  return { sent, queue: { send, sendBatch } as never };
}
