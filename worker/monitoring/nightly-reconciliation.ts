import { gatewayNames } from '../catalog/rules/gateway-names.ts';
import { gateways } from '../payments/gateways/index.ts';
import { storeFees } from '../payments/ledger/fee-table.ts';
import { checkBooked, checkLedger } from '../payments/ledger/settlement-check.ts';
import type { GatewayEvent } from '../payments/purchase/gateway.ts';
import {
  claimEvents,
  eventDatabase,
  markQueued,
  releaseEvents,
} from '../payments/webhooks/webhook-table.ts';
import type { Env } from '../platform/env.ts';
import { type Log, logger } from '../platform/log.ts';
import { unanswered } from '../platform/unanswered.ts';
import { type NightlyResult, sumOfFees, utcDay, withDueDays } from './rules/nightly-result.ts';

/** Pages of 50 or 100 movements; at 100 million visits a month, a day takes two hours. */
const stepsPerMinute = 10;

/** A few queries a page: D1 allows an invocation 1,000. @returns how many of these events had no webhook */
async function queueMissed(events: readonly GatewayEvent[], env: Env): Promise<number> {
  const placed = await Promise.all(
    events.map(async (event) => ({ event, db: await eventDatabase(env, event) })),
  );
  const now = Date.now();
  // None is sent before all are claimed. A claim expires, so a repeated page counts the same events.
  const claims = await Promise.all(
    [...Map.groupBy(placed, (one) => one.db)].map(async ([db, own]) => {
      const events = own.map(({ event }) => event);
      return { db, missed: await claimEvents(db, events, now) };
    }),
  );
  const missed = claims.flatMap((claim) => claim.missed);
  if (missed.length === 0) return 0;
  try {
    await env.WEBHOOK_QUEUE.sendBatch(missed.map((body) => ({ body })));
  } catch (error) {
    await Promise.all(claims.map((claim) => releaseEvents(claim.db, claim.missed)));
    throw error;
  }
  // As after a webhook. An event without the mark may be queued again, which does no harm.
  const marked = claims.map((claim) =>
    markQueued(claim.db, claim.missed, now).catch(unanswered(logger(), 'DB', undefined)),
  );
  await Promise.all(marked);
  return missed.length;
}

const phases = ['events', 'booked', 'ledger', 'payouts'] as const;

interface Step {
  next: string | null;
  change?: Partial<NightlyResult>;
}

async function stepOf(result: NightlyResult, env: Env): Promise<Step> {
  const { gateway, cursor, phase, differences, compared } = result;
  const period = utcDay(result.day);
  if (phase === 'events') {
    const missed = await gateways[gateway].missedEvents?.(env, period, cursor);
    // Without such a list the comparison still reads the accounts with missing movements.
    if (!missed) return { next: null };
    const { events, next } = missed;
    const fetchedEvents = result.fetchedEvents + (await queueMissed(events, env));
    return { next, change: { fetchedEvents } };
  }
  const reader = await gateways[gateway].settlement(env);
  if (phase === 'payouts') {
    const page = await reader.payouts?.(period, cursor);
    const found = page?.differences ?? [];
    return { next: page?.next ?? null, change: { differences: [...differences, ...found] } };
  }
  const check = phase === 'booked' ? checkBooked : checkLedger;
  const page = await check(reader, { gateway, period, cursor }, env);
  // A payment with a different amount is found from both sides.
  const known = new Set(differences.map(({ id }) => id));
  const found = page.differences.filter(({ id }) => !known.has(id));
  return {
    next: page.next,
    change: {
      differences: [...differences, ...found],
      compared: compared + page.compared,
      ...(page.fees && { fees: sumOfFees(result.fees ?? {}, page.fees) }),
    },
  };
}

function advanced(result: NightlyResult, { next, change }: Step, now: number): NightlyResult {
  const changed = { ...result, ...change, cursor: next };
  if (next !== null) return changed;
  const phase = phases[phases.indexOf(result.phase) + 1];
  return phase ? { ...changed, phase } : { ...changed, finishedAt: now };
}

function logResult({ gateway, compared, differences }: NightlyResult, log: Log): void {
  log('info', 'reconciliation_finished', { vendor: gateway, count: compared });
  for (const { kind, id, attempt, provider, ledger, currency } of differences) {
    const amount = Math.abs((provider ?? 0) - (ledger ?? 0));
    const about = { attempt: attempt ?? undefined, payment: id, amount, currency };
    log('error', 'reconciliation_differs', { vendor: gateway, type: kind, ...about });
  }
}

/** One minute of last night's reconciliation; resumes where the last minute stopped. */
export async function reconcileNightly(env: Env, now: number, log: Log): Promise<void> {
  const monitor = env.MONITOR.getByName('monitor');
  const earlier = await monitor.claimNightly();
  if (!earlier) return;
  const configured = gatewayNames.filter((name) => gateways[name].isConfigured(env));
  let results = withDueDays(earlier, configured, now);
  try {
    for (let steps = 0; steps < stepsPerMinute; steps += 1) {
      const at = results.findIndex(({ finishedAt }) => finishedAt === null);
      const result = results[at];
      if (!result) break;
      const after = advanced(result, await stepOf(result, env), now);
      if (after.finishedAt !== null) {
        logResult(after, log);
        if (after.fees) await storeFees(env.DB, after.gateway, after.day, after.fees);
      }
      results = results.with(at, after);
    }
  } finally {
    await monitor.saveNightly(results);
  }
}
