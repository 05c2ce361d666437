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

/** Every payment provider that there is. */
export const gatewayNames = Object.keys(gateways) as GatewayName[];

/** Whether a payment provider's secrets are set. */
export function isConfigured(name: GatewayName, env: Env): boolean {
  return name === 'stripe' ? !!env.STRIPE_SECRET_KEY : hasBraintree(env);
}

/** Who takes the payments of screens that insist on nobody; the other one where only that is set up. */
export function settingsGateway(env: Env): GatewayName {
  const open = gatewayNames.filter((name) => isConfigured(name, env));
  const wanted = env.PAYMENT_GATEWAY === 'braintree' ? 'braintree' : 'stripe';
  return open.find((name) => name === wanted) ?? open[0] ?? 'stripe';
}

/** Whether Braintree offers PayPal. */
export function withPayPal({ PAYPAL }: Env): boolean {
  return PAYPAL === 'true' || PAYPAL === 'braintree';
}

/** The payment provider of a name. */
export function gatewayOf(name: GatewayName, env: Env): Gateway {
  return gateways[name](env);
}
