import type { MessageBatch, Queue } from '@cloudflare/workers-types';
import { accountById } from './accounts/account-table.ts';
import { cardLinkCode } from './accounts/card-link.ts';
import { isStored } from './accounts/one-time-codes.ts';
import { type ConversionMessage, consumeConversions } from './analytics/conversion-consumer.ts';
import { consumeCounts, consumeEvents, type EventMessage } from './analytics/event-consumer.ts';
import type { CountInput } from './analytics/rules/count.ts';
import type { EmailMessage } from './email/enqueue-email.ts';
import type { ChangeMessage } from './entitlements/change-consumer.ts';
import type { SmsMessage } from './invitations/sms/queue-due-sms.ts';
import { consumeSms } from './invitations/sms/sms-consumer.ts';
import { isDeadLetterQueue, storeDeadLetters } from './operators/dead-letters.ts';
import type { GatewayEvent } from './payments/purchase/gateway.ts';
import type { SentNotice } from './payments/purchase/required-notice.ts';
import { consumeWebhooks } from './payments/webhooks/webhook-consumer.ts';
import { withBindingTimeouts } from './platform/binding-timeouts.ts';
import type { Env } from './platform/env.ts';
import { type Log, logger, messageOf } from './platform/log.ts';
import type { AccountId, AttemptId } from './platform/types.ts';

declare module './platform/env.ts' {
  interface Env {
    EXPOSURE_QUEUE: Queue<CountInput>;
    EVENT_QUEUE: Queue<EventMessage>;
    CONVERSION_QUEUE: Queue<ConversionMessage>;
    EMAIL_QUEUE: Queue<EmailMessage>;
    WEBHOOK_QUEUE: Queue<GatewayEvent>;
    SMS_QUEUE: Queue<SmsMessage>;
    ENTITLEMENT_QUEUE: Queue<ChangeMessage>;
  }
}

type Messages = MessageBatch['messages'];

/** Returns the bodies to retry, some with their delay in seconds; if it throws, the whole batch is retried. */
type Consumer = (
  bodies: unknown[],
  env: Env,
  log: Log,
  messages: Messages,
) => Promise<readonly unknown[] | ReadonlyMap<unknown, number>>;

async function invoicePage(env: Env, invoice: string): Promise<string | null> {
  const stripe = await import('./payments/gateways/stripe/statement.ts');
  return stripe.invoicePage(env, invoice);
}

const needsCard = (
  env: Env,
  account: AccountId,
  attempt: AttemptId,
  why: 'renewal_failed' | 'card_expires',
) => env.PURCHASES.getByName(account).needsCard(attempt, why);

const noticed = (env: Env, account: AccountId, notice: SentNotice) =>
  env.PURCHASES.getByName(account).noticed(notice);

const consumers = new Map<string, Consumer>([
  ['funnel-exposures', consumeCounts],
  ['funnel-events', consumeEvents],
  ['funnel-conversions', consumeConversions],
  [
    'funnel-email',
    async (bodies, env, log) => {
      const { emailConsumer } = await import('./email/email-consumer.ts');
      const codes = { isStored, cardLinkCode };
      return emailConsumer({ accountById, invoicePage, needsCard, noticed, ...codes })(
        bodies,
        env,
        log,
      );
    },
  ],
  ['funnel-sms', consumeSms],
  [
    'funnel-entitlements',
    async (_bodies, env, log, messages) => {
      const { consumeEntitlementChanges } = await import('./entitlements/change-consumer.ts');
      return consumeEntitlementChanges(messages, env, log);
    },
  ],
  ['funnel-webhooks', (_bodies, env, log, messages) => consumeWebhooks(messages, env, log)],
]);

const consumerOf = (queueName: string): Consumer | undefined =>
  isDeadLetterQueue(queueName)
    ? (_bodies, env, log, messages) => storeDeadLetters(queueName, messages, env, log)
    : consumers.get(queueName);

/** 30 s, doubling up to half an hour. */
const retryDelaySeconds = (attempts: number) => Math.min(30 * 2 ** (attempts - 1), 1800);

/** Delivers a batch to its consumer at least once, so consumers must be idempotent. */
export async function queue(batch: MessageBatch, env: Env): Promise<void> {
  // An environment's queue is named `funnel-events--staging`.
  const [name = ''] = batch.queue.split('--');
  const log = logger({ queue: name });
  const bodies = batch.messages.map(({ body }) => body);
  let retried: Awaited<ReturnType<Consumer>> = bodies;
  try {
    const consume = consumerOf(name);
    if (!consume) throw new RangeError('no consumer');
    retried = await consume(bodies, withBindingTimeouts(env), log, batch.messages);
  } catch (error) {
    log('warn', 'queue_failed', { reason: messageOf(error) });
  }
  const delays = retried instanceof Map ? retried : new Map<unknown, number>();
  const again: ReadonlySet<unknown> = new Set(retried instanceof Map ? retried.keys() : retried);
  if (again.size === 0) return batch.ackAll();
  for (const message of batch.messages) {
    const { body, attempts } = message;
    if (!again.has(body)) message.ack();
    else message.retry({ delaySeconds: delays.get(body) ?? retryDelaySeconds(attempts) });
  }
}
