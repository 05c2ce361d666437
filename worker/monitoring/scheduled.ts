import type { ExecutionContext, ScheduledController } from '@cloudflare/workers-types';
import * as v from 'valibot';
import { liveWeights } from '../experiments/live-weights.ts';
import { deleteExpiredLetters } from '../operators/dead-letter-table.ts';
import { withBindingTimeouts } from '../platform/binding-timeouts.ts';
import { minuteMs } from '../platform/durations.ts';
import { asSynthetic, type Env } from '../platform/env.ts';
import { logger, reasonOf } from '../platform/log.ts';
import { reportToMonitor } from '../platform/log-counts.ts';
import { jsonOf } from '../platform/read-json.ts';
import type { MinuteReport } from './monitor-state.ts';
import { reconcileNightly } from './nightly-reconciliation.ts';
import { readRisks } from './risk-reader.ts';
import { readRollups } from './rollup-reader.ts';
import type { RollupTotals } from './rules/rollup-growth.ts';
import type { Funnel, OwnRoutes } from './synthetic-visitor.ts';
import { walkAll } from './synthetic-walks.ts';

const log = logger();
const published = v.object({
  experiment: v.string(),
  variants: v.array(v.object({ key: v.string(), weight: v.number() })),
});

type Tests = Pick<MinuteReport, 'splits' | 'stops'>;

/** The weights that this version serves, and stopped arms; none if the configuration cannot be read. */
async function testsFrom({ routes, env, context }: Funnel): Promise<Tests> {
  const site = env.SITE_URL || 'https://funnel.invalid';
  const response = await routes(
    new Request(`${new URL(site).origin}/config.json`),
    asSynthetic(env),
    context,
  );
  const read = v.safeParse(published, await jsonOf(response));
  if (!read.success) return { splits: [], stops: [] };
  const { experiment, variants } = read.output;
  const own = Object.fromEntries(variants.map(({ key, weight }) => [key, weight]));
  const { weights, stops } = await liveWeights(env.FUNNEL, Date.now());
  return { splits: [{ experiment, weights: own }, ...weights], stops };
}

/** A later event still counts in its hour, but not for alarms. */
const readHours = 3;
/** Past hours read per minute after the first deploy, or after ANALYTICS was down. */
const learnedHours = 24;

/** Also passes the history of past weeks from the rollups to the monitor. */
async function totalsAt(minute: number, env: Env): Promise<RollupTotals | null> {
  const monitor = env.MONITOR.getByName('monitor');
  const hour = Math.floor(minute / 60);
  try {
    const past = await monitor.unknownHours(minute, learnedHours);
    if (past.length > 0) await monitor.learnHours(await readRollups(env.ANALYTICS, past));
    const recent = Array.from({ length: readHours }, (_, at) => hour - at);
    return await readRollups(env.ANALYTICS, recent);
  } catch (error) {
    log('warn', 'rollup_read_failed', { reason: reasonOf(error) });
    return null;
  }
}

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
    const [checks, tests, risks] = await Promise.all([
      walkAll(funnel, minute),
      testsFrom(funnel).catch((error): Tests => {
        log('warn', 'monitoring_failed', { reason: reasonOf(error) });
        return { splits: [], stops: [] };
      }),
      readRisks(env, minute, log),
    ]);
    for (const { ok, market, gateway, step, reason, ms } of checks) {
      if (!ok) log('error', 'walk_failed', { market, vendor: gateway, state: step, reason, ms });
    }
    const version = env.CF_VERSION_METADATA?.id ?? 'unknown';
    await reportToMonitor(env, true);
    const totals = await totalsAt(minute, env);
    try {
      const report = { minute, version, checks, ...tests, totals, risks };
      await env.MONITOR.getByName('monitor').watch(report);
    } catch (error) {
      log('error', 'monitoring_failed', { reason: reasonOf(error) });
    }
    if (minute % 60 === 0) {
      await deleteExpiredLetters(env.DB, scheduledTime).catch((error) =>
        log('warn', 'binding_unavailable', { binding: 'DB', reason: reasonOf(error) }),
      );
    }
    await reconcileNightly(env, scheduledTime, log).catch((error) =>
      log('error', 'reconciliation_failed', { reason: reasonOf(error) }),
    );
  };
