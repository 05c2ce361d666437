import type { ExecutionContext, ScheduledController } from '@cloudflare/workers-types';
import * as v from 'valibot';
import { asSynthetic, type Env } from '../env.ts';
import { withBindingTimeouts } from '../http/binding-timeouts.ts';
import { logger } from '../log.ts';
import { reportToMonitor } from '../log-counts.ts';
import { reconcileNightly } from './nightly-reconciliation.ts';
import type { Split } from './rules/sample-ratio.ts';
import { type Funnel, type OwnRoutes, walkAll } from './synthetic-visitor.ts';

const minuteMs = 60_000;
const log = logger();
const reasonOf = (error: unknown) => (error instanceof Error ? error.name : 'thrown');

const published = v.object({
  experiment: v.string(),
  variants: v.array(v.object({ key: v.string(), weight: v.number() })),
});

/** The weights that this version serves; none when the configuration cannot be read. */
async function splitsFrom({
  routes,
  env,
  context,
}: Funnel): Promise<Pick<Split, 'experiment' | 'weights'>[]> {
  const site = env.SITE_URL || 'https://funnel.invalid';
  const response = await routes(
    new Request(`${new URL(site).origin}/config.json`),
    asSynthetic(env),
    context,
  );
  const read = v.safeParse(published, await response.json().catch(() => null));
  if (!read.success) return [];
  const { experiment, variants } = read.output;
  return [
    { experiment, weights: Object.fromEntries(variants.map(({ key, weight }) => [key, weight])) },
  ];
}

/** The cron handler: once a minute. */
export const scheduled =
  (routes: OwnRoutes) =>
  async (
    { scheduledTime }: Pick<ScheduledController, 'scheduledTime'>,
    bare: Env,
    context: ExecutionContext,
  ): Promise<void> => {
    const env = withBindingTimeouts(bare);
    const minute = Math.floor(scheduledTime / minuteMs);
    const funnel = { routes, env, context };
    const [checks, splits] = await Promise.all([
      walkAll(funnel, minute),
      splitsFrom(funnel).catch(() => []),
    ]);
    for (const { ok, market, gateway, step, reason, ms } of checks) {
      if (!ok) log('error', 'walk_failed', { market, vendor: gateway, state: step, reason, ms });
    }
    const version = env.CF_VERSION_METADATA?.id ?? 'unknown';
    await reportToMonitor(env, true);
    try {
      await env.MONITOR.getByName('monitor').watch({
        minute,
        version,
        checks,
        splits,
        totals: null,
      });
    } catch (error) {
      log('error', 'monitoring_failed', { reason: reasonOf(error) });
    }
    await reconcileNightly(env, scheduledTime, log).catch((error) =>
      log('error', 'reconciliation_failed', { reason: reasonOf(error) }),
    );
  };
