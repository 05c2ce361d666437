import type { MessageBatch } from '@cloudflare/workers-types';
import { accountById } from './accounts/account-table.ts';
import { isStored } from './accounts/one-time-codes.ts';
import { consumeConversions } from './analytics/conversion-consumer.ts';
import { consumeEvents } from './analytics/event-consumer.ts';
import { emailConsumer } from './email/email-consumer.ts';
import type { Env } from './env.ts';
import { countExposures, parseExposures } from './experiments/exposure-table.ts';
import { withBindingTimeouts } from './http/binding-timeouts.ts';
import { consumeSms } from './invitations/sms/sms-consumer.ts';
import { type Log, logger } from './log.ts';
import { isDeadLetterQueue, storeDeadLetters } from './operators/dead-letters.ts';
import { invoicePage } from './payments/gateways/stripe/invoice.ts';
import { consumeWebhooks } from './payments/webhook-consumer.ts';

type Messages = MessageBatch['messages'];

/** Takes a batch; what it returns must come again, and so must all when it throws. */
type Consumer = (
  bodies: unknown[],
  env: Env,
  log: Log,
  messages: Messages,
) => Promise<readonly unknown[]>;

/** Who takes the messages of a queue; the names are those of wrangler.toml. */
const consumers = new Map<string, Consumer>([
  [
    'funnel-exposures',
    async (bodies, env, log) => {
      const exposures = parseExposures(bodies);
      if (exposures.length < bodies.length) log('error', 'exposure_malformed');
      await countExposures(env.DB, exposures, Date.now());
      return [];
    },
  ],
  ['funnel-events', consumeEvents],
  ['funnel-conversions', consumeConversions],
  ['funnel-email', emailConsumer({ accountById, isStored, invoicePage })],
  ['funnel-sms', consumeSms],
  ['funnel-webhooks', (_bodies, env, log, messages) => consumeWebhooks(messages, env, log)],
]);

/** What a queue gave up is kept, whichever queue it was. */
const consumerOf = (consumeQueue: string): Consumer | undefined =>
  isDeadLetterQueue(consumeQueue)
    ? (_bodies, env, log, messages) => storeDeadLetters(consumeQueue, messages, env, log)
    : consumers.get(consumeQueue);

/** Pause before a message comes again, in seconds: 30, doubling to half an hour. */
const pause = (attempts: number) => Math.min(30 * 2 ** (attempts - 1), 1800);

/**
 * Hands a batch to its consumer. What was not taken comes again, so that a consumer must bear
 * repetition.
 */
export async function queue(batch: MessageBatch, env: Env): Promise<void> {
  const log = logger({ key: batch.queue });
  const bodies = batch.messages.map(({ body }) => body);
  let again: readonly unknown[] = bodies;
  try {
    const consume = consumerOf(batch.queue);
    if (!consume) throw new RangeError('no consumer');
    again = await consume(bodies, withBindingTimeouts(env), log, batch.messages);
  } catch (error) {
    log('warn', 'queue_failed', { reason: error instanceof Error ? error.message : 'thrown' });
  }
  if (again.length === 0) return batch.ackAll();
  for (const message of batch.messages) {
    if (again.includes(message.body)) message.retry({ delaySeconds: pause(message.attempts) });
    else message.ack();
  }
}
