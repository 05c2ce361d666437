import type { Env } from '../../platform/env.ts';
import type { Gateway, GatewayEvent } from '../purchase/gateway.ts';
import type { Risks } from '../purchase/risks.ts';
import type { SettlementReader } from '../purchase/settlement.ts';
import type { GatewayName } from '../purchase/state.ts';
import { hasBraintree } from './braintree/client.ts';
import type { CardGateway } from './card-gateway.ts';

export const gatewayNames: readonly GatewayName[] = ['stripe', 'braintree'];

export function isConfigured(name: GatewayName, env: Env): boolean {
  return name === 'stripe' ? !!env.STRIPE_SECRET_KEY : hasBraintree(env);
}

/**
 * Loaded with the first payment, because pages do not need this code.
 * @param signal aborts every call; set, with shorter timeouts, while another gateway could take the payment
 */
export const gatewayOf = async (
  name: GatewayName,
  env: Env,
  signal?: AbortSignal,
): Promise<Gateway> =>
  name === 'stripe'
    ? (await import('./stripe/gateway.ts')).stripeGateway(env, signal)
    : (await import('./braintree/gateway.ts')).braintreeGateway(env, signal);

export const cardGatewayOf = async (name: GatewayName, env: Env): Promise<CardGateway> =>
  name === 'stripe'
    ? (await import('./stripe/card.ts')).stripeCards(env)
    : (await import('./braintree/card.ts')).braintreeCards(env);

/** Reads what a gateway booked; it starts from the provider, whereas `Gateway` starts from an attempt. */
export const settlementOf = async (name: GatewayName, env: Env): Promise<SettlementReader> =>
  name === 'stripe'
    ? (await import('./stripe/settlement.ts')).stripeSettlement(env)
    : (await import('./braintree/settlement.ts')).braintreeSettlement(env);

/** @param now ms since 1970 @throws when the gateway does not answer */
export const risksOf = async (name: GatewayName, env: Env, now: number): Promise<Risks> =>
  name === 'stripe'
    ? (await import('./stripe/risks.ts')).stripeRisks(env, now)
    : (await import('./braintree/risks.ts')).braintreeRisks(env, now);

/** @param now ms since 1970 @returns null unless the gateway signed this body recently */
type ReadWebhook = (
  env: Env,
  posted: { body: string; headers: Headers },
  now: number,
) => Promise<GatewayEvent | null>;

interface Webhooks {
  read: ReadWebhook;
  events: readonly string[];
}

export async function webhooksOf(name: GatewayName): Promise<Webhooks> {
  if (name === 'stripe') {
    const { readStripeWebhook: read, stripeEvents: events } = await import('./stripe/webhook.ts');
    return { read, events };
  }
  const { braintreeEvents: events, readBraintreeWebhook: read } = await import(
    './braintree/webhook.ts'
  );
  return { read, events };
}
