import type { Env } from '../../env.ts';
import type { GatewayName } from '../rules/attempt.ts';
import type { Gateway } from '../rules/gateway.ts';
import { hasBraintree } from './braintree/credentials.ts';
import { braintreeGateway } from './braintree/gateway.ts';
import { stripeGateway } from './stripe/gateway.ts';

const gateways: Record<GatewayName, (env: Env) => Gateway> = {
  stripe: stripeGateway,
  braintree: braintreeGateway,
};

export const gatewayNames = Object.keys(gateways) as GatewayName[];

export function isConfigured(name: GatewayName, env: Env): boolean {
  return name === 'stripe' ? !!env.STRIPE_SECRET_KEY : hasBraintree(env);
}

/** The gateway of screens that name none: PAYMENT_GATEWAY, or the other one if only that is configured. */
export function settingsGateway(env: Env): GatewayName {
  const configured = gatewayNames.filter((name) => isConfigured(name, env));
  const preferred = env.PAYMENT_GATEWAY === 'braintree' ? 'braintree' : 'stripe';
  return configured.find((name) => name === preferred) ?? configured[0] ?? 'stripe';
}

export function gatewayOf(name: GatewayName, env: Env): Gateway {
  return gateways[name](env);
}
