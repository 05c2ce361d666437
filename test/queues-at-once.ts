import { unstable_getMiniflareWorkerOptions as workerOptionsOf } from 'wrangler';

/** Seconds. A failed message is delivered again after it, too. */
const maxBatchTimeout = 0.1;

/** The consumers of a Worker's queues, which get each message soon: a test does not wait for a batch. */
export function queuesAtOnce(configuration: string): Record<string, object> {
  const { queueConsumers = {} } = workerOptionsOf(configuration).workerOptions;
  const batched = Object.entries<object>(queueConsumers as Record<string, object>);
  return Object.fromEntries(batched.map(([name, one]) => [name, { ...one, maxBatchTimeout }]));
}
