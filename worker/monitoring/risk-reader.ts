import type { Env } from '../env.ts';
import type { Log } from '../log.ts';
import { gatewayNames, isConfigured, risksOf } from '../payments/gateways/index.ts';
import type { KnownRisks } from './rules/risk-findings.ts';

/** Deadlines are days away; a warning is worth a quick refund. */
const everyMinutes = 10;

/**
 * Reads open disputes and early fraud warnings every ten minutes, so that none depends on a webhook.
 * @returns what the gateways that answered say; null in the minutes between
 */
export async function readRisks(env: Env, minute: number, log: Log): Promise<KnownRisks[] | null> {
  if (minute % everyMinutes !== 0) return null;
  const readAt = minute * 60_000;
  const read = gatewayNames
    .filter((gateway) => isConfigured(gateway, env))
    .map(async (gateway): Promise<KnownRisks[]> => {
      try {
        return [{ gateway, readAt, ...(await risksOf(gateway, env, readAt)) }];
      } catch (error) {
        const reason = error instanceof Error ? error.name : 'thrown';
        log('warn', 'risks_unread', { vendor: gateway, reason });
        return [];
      }
    });
  return (await Promise.all(read)).flat();
}
