import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import type { CardLimiter } from '../../../../worker/payments/fraud/card-limiter-object.ts';
import { limiterShards } from '../../../../worker/platform/limiter-shards.ts';

/** Runs the card limiters' alarms that are due by the test's clock. */
export async function runAlarms(names: readonly string[] = limiterShards): Promise<void> {
  for (const name of names) {
    const stub = env.CARD_LIMITER.getByName(name);
    const due = await runInDurableObject(stub, (_: CardLimiter, { storage }) => storage.getAlarm());
    if (due !== null && due <= Date.now()) await runDurableObjectAlarm(stub);
  }
}
