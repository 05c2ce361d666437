import type { CatalogDocument } from '../../catalog/rules/catalog-document.ts';
import type { Currency } from '../../catalog/rules/currencies.ts';
import { gatewayNames } from '../../catalog/rules/gateway-names.ts';
import type { Plan } from '../../catalog/rules/plans.ts';
import { liveDocuments } from '../../experiments/live-catalog.ts';
import type { Problem } from '../../experiments/rules/config-schema.ts';
import { offeredPlans } from '../../experiments/rules/offered-plans.ts';
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
  /** Nobody could buy it. */
  refused: Problem[];
  /** One provider sells it and another does not. */
  warnings: string[];
}

interface Sold {
  path: string;
  /** Such as `JPY`. */
  name: string;
  /** What a provider lacks: `cannot charge JPY`. */
  lacks: string;
  isAble: (gateway: GatewayName) => boolean;
}

const soldIn = (env: Env, { currencies, products }: CatalogDocument): Sold[] => [
  ...currencies.map((currency, at) => ({
    path: `currencies.${at}`,
    name: currency,
    lacks: 'cannot charge it',
    isAble: (gateway: GatewayName) => gateways[gateway].settles(env, currency),
  })),
  ...Object.entries(products).map(([id, { period }]) => ({
    path: `products.${id}.period`,
    name: id,
    lacks: `cannot renew by ${period}`,
    isAble: (gateway: GatewayName) => gatewayTraits[gateway].bills({ period }),
  })),
];

export function settlementOf(env: Env, catalog: CatalogDocument): Settlement {
  const open = gatewayNames.filter((name) => gateways[name].isConfigured(env));
  const titles = (names: readonly GatewayName[]) =>
    names.map((name) => gatewayTraits[name].title).join(' and ');
  const lacking = soldIn(env, catalog).flatMap(({ isAble, ...sold }) => {
    const able = open.filter(isAble);
    const unable = titles(open.filter((one) => !able.includes(one)));
    return unable ? [{ ...sold, able: titles(able), unable }] : [];
  });
  const refused = lacking
    .filter(({ able }) => !able)
    .map(({ path, name, unable, lacks }): Problem => {
      const reason = `${name}: ${unable} ${lacks}, and no other provider is set up`;
      return { key: 'catalog.json', path, reason };
    });
  const groups = Map.groupBy(
    lacking.filter(({ able }) => able),
    ({ able, unable, lacks }) => `sold by ${able} alone, because ${unable} ${lacks}`,
  );
  const warnings = [...groups].map(
    ([why, all]) => `${why}: ${all.map(({ name }) => name).join(', ')}`,
  );
  return { refused, warnings };
}

/** With the plans that are sold now, and what their coupons need. */
export async function checkLiveGateways(env: Env): Promise<GatewayCheck[]> {
  return checkGateways(env, offeredPlans(await liveDocuments(env)));
}

export function checkGateways(env: Env, plans: readonly Plan[]): Promise<GatewayCheck[]> {
  return Promise.all(gatewayNames.map((gateway) => reportOf(gateway, env, plans)));
}
