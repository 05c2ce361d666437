import { gatewayNames } from '../../catalog/rules/gateway-names.ts';
import { offeredCurrencies } from '../../catalog/rules/markets.ts';
import type { Plan } from '../../catalog/rules/plans.ts';
import { liveCatalog } from '../../experiments/live-catalog.ts';
import type { Env } from '../../platform/env.ts';
import type { GatewayName } from '../purchase/state.ts';
import { gateways } from './index.ts';
import type { PriceCheck, RetryCheck } from './settings.ts';

export interface GatewayCheck {
  gateway: GatewayName;
  open: boolean;
  webhooks: boolean;
  prices: PriceCheck[];
  retries: RetryCheck | null;
  unread: string | null;
}

async function reportOf(
  gateway: GatewayName,
  env: Env,
  plans: readonly Plan[],
): Promise<GatewayCheck> {
  const status = {
    gateway,
    open: gateways[gateway].isConfigured(env),
    webhooks: gateways[gateway].verifiesWebhooks(env),
  };
  if (!status.open) return { ...status, prices: [], retries: null, unread: null };
  try {
    const [prices, retries] = await Promise.all([
      gateways[gateway].checkPrices(env, plans),
      gateways[gateway].checkRetries(env),
    ]);
    return { ...status, prices, retries, unread: null };
  } catch (error) {
    const unread = error instanceof RangeError ? error.message : 'it did not answer';
    return { ...status, prices: [], retries: null, unread };
  }
}

/** With the plans that are sold now. */
export async function checkLiveGateways(env: Env): Promise<GatewayCheck[]> {
  const catalog = await liveCatalog(env);
  return checkGateways(env, catalog.plansIn(offeredCurrencies(env.CURRENCIES)));
}

export function checkGateways(env: Env, plans: readonly Plan[]): Promise<GatewayCheck[]> {
  return Promise.all(gatewayNames.map((gateway) => reportOf(gateway, env, plans)));
}
