import { offeredCurrencies } from '../../catalog/rules/markets.ts';
import type { Env } from '../../platform/env.ts';
import type { GatewayName } from '../purchase/state.ts';
import { braintreeCredentials } from './braintree/client.ts';
import { gatewayNames, isConfigured } from './index.ts';
import type { PriceCheck, RetryCheck } from './settings.ts';
import { usesStripeTax } from './tax-settings.ts';

export interface GatewayCheck {
  gateway: GatewayName;
  open: boolean;
  webhooks: boolean;
  prices: PriceCheck[];
  retries: RetryCheck | null;
  unread: string | null;
}

const verifiesWebhooks: Record<GatewayName, (env: Env) => boolean> = {
  stripe: (env) => !!env.STRIPE_WEBHOOK_SECRET,
  braintree: (env) => isConfigured('braintree', env),
};

async function checkPricesAt(gateway: GatewayName, env: Env): Promise<PriceCheck[]> {
  if (!isConfigured(gateway, env)) return [];
  const offered = offeredCurrencies(env.CURRENCIES);
  if (gateway === 'braintree') {
    const { checkPlans } = await import('./braintree/plan-check.ts');
    return checkPlans(braintreeCredentials(env), offered);
  }
  const [{ stripeClient }, { checkOffers, checkPrices, offersOf, pricesOf }] = await Promise.all([
    import('./stripe/client.ts'),
    import('./stripe/prices.ts'),
  ]);
  const stripe = stripeClient(env);
  const map = pricesOf(env.STRIPE_PRICES);
  const taxed = usesStripeTax(env);
  const offers = await checkOffers(stripe, offersOf(env.STRIPE_TRIAL_OFFERS), taxed);
  if (Object.keys(map).length === 0) return offers;
  return [...(await checkPrices(stripe, map, offered, taxed)), ...offers];
}

/** Only in the control panel (developer.paypal.com/braintree/articles/guides/recurring-billing). */
const braintreeRetries: RetryCheck = {
  settings: 'the control panel: Settings, Processing, Recurring billing',
  planned: null,
  unplanned: null,
  furthestDays: null,
};

async function checkRetriesAt(gateway: GatewayName, env: Env): Promise<RetryCheck | null> {
  if (!isConfigured(gateway, env)) return null;
  if (gateway === 'braintree') return braintreeRetries;
  const [{ stripeClient }, { checkRetries }] = await Promise.all([
    import('./stripe/client.ts'),
    import('./stripe/prices.ts'),
  ]);
  return checkRetries(stripeClient(env), Date.now());
}

async function reportOf(gateway: GatewayName, env: Env): Promise<GatewayCheck> {
  const status = {
    gateway,
    open: isConfigured(gateway, env),
    webhooks: verifiesWebhooks[gateway](env),
  };
  try {
    const [prices, retries] = await Promise.all([
      checkPricesAt(gateway, env),
      checkRetriesAt(gateway, env),
    ]);
    return { ...status, prices, retries, unread: null };
  } catch (error) {
    const unread = error instanceof RangeError ? error.message : 'it did not answer';
    return { ...status, prices: [], retries: null, unread };
  }
}

/** Never throws. */
export function checkGateways(env: Env): Promise<GatewayCheck[]> {
  return Promise.all(gatewayNames.map((gateway) => reportOf(gateway, env)));
}
