import { gatewayNames } from '../catalog/rules/gateway-names.ts';
import { gateways } from '../payments/gateways/index.ts';
import { changedDisputes, saveDisputes } from '../payments/ledger/dispute-table.ts';
import type { GatewayEvent } from '../payments/purchase/gateway.ts';
import type { Dispute } from '../payments/purchase/risks.ts';
import type { GatewayName } from '../payments/purchase/state.ts';
import { minuteMs } from '../platform/durations.ts';
import type { Env } from '../platform/env.ts';
import { type Log, reasonOf } from '../platform/log.ts';
import type { KnownRisks } from './rules/risk-findings.ts';

/** Deadlines are days away, but a warning needs a quick refund. */
const everyMinutes = 10;
/** Cloudflare Queues take 100 messages at once. */
const maxBatch = 100;

/** An account reads its payments again, as after the webhook about the dispute, which may be lost. */
async function queueReads(gateway: GatewayName, disputes: readonly Dispute[], env: Env) {
  const events = disputes.map(({ id, state, paymentId }): GatewayEvent => {
    const ids = { account: null, attempt: null, customerId: null, subscriptionId: null };
    return { gateway, id: `${id}:${state}`, type: 'dispute', ...ids, paymentId };
  });
  for (let at = 0; at < events.length; at += maxBatch) {
    await env.WEBHOOK_QUEUE.sendBatch(events.slice(at, at + maxBatch).map((body) => ({ body })));
  }
}

/**
 * Reads disputes and early fraud warnings every ten minutes, so that none depends on a webhook, and stores the
 * state of each dispute for the buyer's timeline.
 * @returns the risks of the gateways that responded; null in the minutes between
 */
export async function readRisks(env: Env, minute: number, log: Log): Promise<KnownRisks[] | null> {
  if (minute % everyMinutes !== 0) return null;
  const read = gatewayNames
    .filter((gateway) => gateways[gateway].isConfigured(env))
    .map(async (gateway): Promise<KnownRisks[]> => {
      try {
        const { disputes, warnings } = await gateways[gateway].risks(env, minute * minuteMs);
        await queueReads(gateway, await changedDisputes(env.DB, gateway, disputes), env);
        await saveDisputes(env.DB, gateway, disputes, Date.now());
        const open = disputes.filter(({ state }) => state === 'open');
        return [{ gateway, disputes: open, warnings }];
      } catch (error) {
        const reason = reasonOf(error);
        log('warn', 'risk_read_failed', { vendor: gateway, reason });
        return [];
      }
    });
  return (await Promise.all(read)).flat();
}
