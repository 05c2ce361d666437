import type { Env } from '../../env.ts';
import type { GatewayName } from '../rules/attempt.ts';
import type { Gateway, GatewayEvent } from '../rules/gateway.ts';
import { hasBraintree } from './braintree/client.ts';
import { braintreeGateway } from './braintree/gateway.ts';
import { braintreeEvents, readBraintreeWebhook } from './braintree/webhook.ts';
import { stripeGateway } from './stripe/gateway.ts';
import { readStripeWebhook, stripeEvents } from './stripe/webhook.ts';

const gateways: Record<GatewayName, (env: Env) => Gateway> = {
  stripe: stripeGateway,
  braintree: braintreeGateway,
};

export const gatewayNames = Object.keys(gateways) as GatewayName[];

export function isConfigured(name: GatewayName, env: Env): boolean {
  return name === 'stripe' ? !!env.STRIPE_SECRET_KEY : hasBraintree(env);
}

export function settingsGateway(env: Env): GatewayName {
  const configured = gatewayNames.filter((name) => isConfigured(name, env));
  const preferred = env.PAYMENT_GATEWAY === 'braintree' ? 'braintree' : 'stripe';
  return configured.find((name) => name === preferred) ?? configured[0] ?? 'stripe';
}

export function gatewayOf(name: GatewayName, env: Env): Gateway {
  return gateways[name](env);
}

/** @param now ms since 1970 @returns null unless the gateway signed this body recently */
export type ReadWebhook = (
  env: Env,
  posted: { body: string; headers: Headers },
  now: number,
) => Promise<GatewayEvent | null>;

export const webhookReaders: Record<GatewayName, ReadWebhook> = {
  stripe: readStripeWebhook,
  braintree: readBraintreeWebhook,
};

export const webhookEvents: Record<GatewayName, readonly string[]> = {
  stripe: stripeEvents,
  braintree: braintreeEvents,
};
