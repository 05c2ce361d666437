import type { MessageBatch } from '@cloudflare/workers-types';
import type { Env } from './env.ts';
import { type Log, logger } from './log.ts';
import { countExposures, exposuresIn } from './storage/exposures.ts';

type Consumer = (bodies: unknown[], env: Env, log: Log) => Promise<void>;

/** Who takes the messages of a queue; the names are those of wrangler.toml. */
const consumers = new Map<string, Consumer>([
  [
    'funnel-exposures',
    async (bodies, env, log) => {
      const exposures = exposuresIn(bodies);
      if (exposures.length < bodies.length) log('error', 'exposure_malformed');
      await countExposures(env.DB, exposures, Date.now());
    },
  ],
]);

/** Pause before a message comes again, in seconds: 30, doubling to half an hour. */
const pause = (attempts: number) => Math.min(30 * 2 ** (attempts - 1), 1800);

/**
 * Hands a batch to its consumer. When that fails, every message comes again, so that a consumer must
 * bear repetition.
 */
export async function queue(batch: MessageBatch, env: Env): Promise<void> {
  const log = logger({ key: batch.queue });
  try {
    const consume = consumers.get(batch.queue);
    if (!consume) throw new RangeError('no consumer');
    await consume(
      batch.messages.map(({ body }) => body),
      env,
      log,
    );
    batch.ackAll();
  } catch (error) {
    log('warn', 'queue_failed', { reason: error instanceof Error ? error.message : 'thrown' });
    for (const message of batch.messages) {
      message.retry({ delaySeconds: pause(message.attempts) });
    }
  }
}
