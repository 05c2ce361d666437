import type { Env } from '../../../platform/env.ts';
import { requestsThreeDSecure } from '../settings.ts';
import { usesStripeTax } from '../tax-settings.ts';
import { type StripeClient, stripeClient } from './client.ts';
import { type OfferMap, offersOf, type PriceMap, pricesOf } from './prices.ts';

export interface StripeConfig {
  stripe: StripeClient;
  product: string;
  prices: PriceMap;
  offers: OfferMap;
  taxed: boolean;
}

/** @param signal see `gatewayOf` */
export const stripeConfig = (env: Env, signal?: AbortSignal): StripeConfig => ({
  stripe: stripeClient(env, signal),
  product: env.STRIPE_PRODUCT ?? '',
  prices: pricesOf(env.STRIPE_PRICES),
  offers: offersOf(env.STRIPE_TRIAL_OFFERS),
  taxed: usesStripeTax(env),
});

/** Of a payment or a verification: asks for 3-D Secure with every card, where the settings request it. */
export const threeDSecureOptions = (env: Env) =>
  requestsThreeDSecure(env)
    ? ({ payment_method_options: { card: { request_three_d_secure: 'any' } } } as const)
    : {};
