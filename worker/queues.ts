import type { MessageBatch } from '@cloudflare/workers-types';
import { bringTexts } from './bring-texts.ts';
import { tellOfPurchases } from './conversions.ts';
import { bury, isDead } from './dead-letters.ts';
import type { Env } from './env.ts';
import { tellSinks } from './event-sinks.ts';
import { takeNews } from './gateway-news.ts';
import { type Log, logger } from './log.ts';
import { deliver } from './mail/deliver.ts';
import { bounded } from './storage/bounded.ts';
import { countExposures, exposuresIn } from './storage/exposures.ts';

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
      const exposures = exposuresIn(bodies);
      if (exposures.length < bodies.length) log('error', 'exposure_malformed');
      await countExposures(env.DB, exposures, Date.now());
      return [];
    },
  ],
  ['funnel-events', tellSinks],
  ['funnel-conversions', tellOfPurchases],
  ['funnel-mails', deliver],
  ['funnel-texts', bringTexts],
  ['funnel-webhooks', (_bodies, env, log, messages) => takeNews(messages, env, log)],
]);

/** What a queue gave up is kept, whichever queue it was. */
const consumerOf = (queue: string): Consumer | undefined =>
  isDead(queue)
    ? (_bodies, env, log, messages) => bury(queue, messages, env, log)
    : consumers.get(queue);

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
    again = await consume(bodies, bounded(env), log, batch.messages);
  } catch (error) {
    log('warn', 'queue_failed', { reason: error instanceof Error ? error.message : 'thrown' });
  }
  if (again.length === 0) return batch.ackAll();
  for (const message of batch.messages) {
    if (again.includes(message.body)) message.retry({ delaySeconds: pause(message.attempts) });
    else message.ack();
  }
}
