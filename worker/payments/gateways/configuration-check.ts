import type { Env } from '../../env.ts';
import type { GatewayName } from '../rules/attempt.ts';
import { braintreeCredentials } from './braintree/client.ts';
import { gatewayNames, isConfigured } from './index.ts';
import type { PriceCheck } from './settings.ts';

export interface GatewayCheck {
  gateway: GatewayName;
  open: boolean;
  webhooks: boolean;
  prices: PriceCheck[];
  unread: string | null;
}

const verifiesWebhooks: Record<GatewayName, (env: Env) => boolean> = {
  stripe: (env) => !!env.STRIPE_WEBHOOK_SECRET,
  braintree: (env) => isConfigured('braintree', env),
};

async function checkPricesAt(gateway: GatewayName, env: Env): Promise<PriceCheck[]> {
  if (!isConfigured(gateway, env)) return [];
  if (gateway === 'braintree') {
    const { checkPlans } = await import('./braintree/plan-check.ts');
    return checkPlans(braintreeCredentials(env));
  }
  const [{ stripeClient }, { checkOffers, checkPrices, offersOf, pricesOf }] = await Promise.all([
    import('./stripe/client.ts'),
    import('./stripe/prices.ts'),
  ]);
  const stripe = stripeClient(env);
  const map = pricesOf(env.STRIPE_PRICES);
  const offers = await checkOffers(stripe, offersOf(env.STRIPE_TRIAL_OFFERS));
  if (Object.keys(map).length === 0) return offers;
  return [...(await checkPrices(stripe, map)), ...offers];
}

async function reportOf(gateway: GatewayName, env: Env): Promise<GatewayCheck> {
  const status = {
    gateway,
    open: isConfigured(gateway, env),
    webhooks: verifiesWebhooks[gateway](env),
  };
  try {
    return { ...status, prices: await checkPricesAt(gateway, env), unread: null };
  } catch (error) {
    const unread = error instanceof RangeError ? error.message : 'it did not answer';
    return { ...status, prices: [], unread };
  }
}

/** Never throws. */
export function checkGateways(env: Env): Promise<GatewayCheck[]> {
  return Promise.all(gatewayNames.map((gateway) => reportOf(gateway, env)));
}
