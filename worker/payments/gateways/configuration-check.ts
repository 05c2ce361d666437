import type { Currency } from '../../catalog/rules/currencies.ts';
import { gatewayNames } from '../../catalog/rules/gateway-names.ts';
import type { Plan } from '../../catalog/rules/plans.ts';
import { liveCatalog } from '../../experiments/live-catalog.ts';
import type { Problem } from '../../experiments/rules/config-schema.ts';
import type { Env } from '../../platform/env.ts';
import { gatewayTraits } from '../purchase/gateway-traits.ts';
import type { GatewayName } from '../purchase/state.ts';
import { gateways } from './index.ts';
import type { PriceCheck, RetryCheck } from './settings.ts';

export interface GatewayCheck {
  gateway: GatewayName;
  open: boolean;
  webhooks: boolean;
  /** Of the plans, those that it cannot charge: pages do not offer it there. */
  unsettled: Currency[];
  prices: PriceCheck[];
  retries: RetryCheck | null;
  unread: string | null;
}

async function reportOf(
  gateway: GatewayName,
  env: Env,
  plans: readonly Plan[],
): Promise<GatewayCheck> {
  const { isConfigured, settles, verifiesWebhooks } = gateways[gateway];
  const isSettled = ({ currency }: Plan) => settles(env, currency);
  const unsettled = plans.filter((plan) => !isSettled(plan)).map(({ currency }) => currency);
  const status = {
    gateway,
    open: isConfigured(env),
    webhooks: verifiesWebhooks(env),
    unsettled: [...new Set(unsettled)],
  };
  if (!status.open) return { ...status, prices: [], retries: null, unread: null };
  try {
    const [prices, retries] = await Promise.all([
      gateways[gateway].checkPrices(env, plans.filter(isSettled)),
      gateways[gateway].checkRetries(env),
    ]);
    return { ...status, prices, retries, unread: null };
  } catch (error) {
    const unread = error instanceof RangeError ? error.message : 'it did not answer';
    return { ...status, prices: [], retries: null, unread };
  }
}

interface Settlement {
  /** Nobody could buy in these. */
  refused: Problem[];
  /** Of a currency that one provider charges and another does not. */
  warnings: string[];
}

export function settlementOf(env: Env, currencies: readonly Currency[]): Settlement {
  const open = gatewayNames.filter((name) => gateways[name].isConfigured(env));
  const titles = (names: readonly GatewayName[]) =>
    names.map((name) => gatewayTraits[name].title).join(' and ');
  const refused: Problem[] = [];
  const warnings: string[] = [];
  for (const [at, currency] of currencies.entries()) {
    const able = open.filter((name) => gateways[name].settles(env, currency));
    const unable = open.filter((name) => !able.includes(name));
    if (unable.length === 0) continue;
    if (able.length > 0) {
      warnings.push(
        `${currency} is sold by ${titles(able)} alone: ${titles(unable)} cannot charge it`,
      );
    } else {
      const reason = `${titles(unable)} cannot charge ${currency}, and no other provider is set up`;
      refused.push({ key: 'catalog.json', path: `currencies.${at}`, reason });
    }
  }
  return { refused, warnings };
}

/** With the plans that are sold now. */
export async function checkLiveGateways(env: Env): Promise<GatewayCheck[]> {
  return checkGateways(env, (await liveCatalog(env)).plans);
}

export function checkGateways(env: Env, plans: readonly Plan[]): Promise<GatewayCheck[]> {
  return Promise.all(gatewayNames.map((gateway) => reportOf(gateway, env, plans)));
}
