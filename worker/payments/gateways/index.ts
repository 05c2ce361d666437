import type { Env } from '../../env.ts';
import type { GatewayName } from '../rules/attempt.ts';
import type { CardGateway } from '../rules/card-gateway.ts';
import type { Gateway, GatewayEvent } from '../rules/gateway.ts';
import type { Risks } from '../rules/risks.ts';
import type { SettlementReader } from '../rules/settlement.ts';
import { hasBraintree } from './braintree/client.ts';

/** Loaded with the first payment, because pages do not need this code. */
const gateways: Record<GatewayName, () => Promise<(env: Env, signal?: AbortSignal) => Gateway>> = {
  stripe: async () => (await import('./stripe/gateway.ts')).stripeGateway,
  braintree: async () => (await import('./braintree/gateway.ts')).braintreeGateway,
};

export const gatewayNames = Object.keys(gateways) as GatewayName[];

export function isConfigured(name: GatewayName, env: Env): boolean {
  return name === 'stripe' ? !!env.STRIPE_SECRET_KEY : hasBraintree(env);
}

/** @param signal aborts every call; set, with shorter timeouts, while another gateway could take the payment */
export async function gatewayOf(
  name: GatewayName,
  env: Env,
  signal?: AbortSignal,
): Promise<Gateway> {
  const open = await gateways[name]();
  return open(env, signal);
}

const cardGateways: Record<GatewayName, () => Promise<(env: Env) => CardGateway>> = {
  stripe: async () => (await import('./stripe/card.ts')).stripeCards,
  braintree: async () => (await import('./braintree/card.ts')).braintreeCards,
};

export async function cardGatewayOf(name: GatewayName, env: Env): Promise<CardGateway> {
  const open = await cardGateways[name]();
  return open(env);
}

const settlements: Record<GatewayName, () => Promise<(env: Env) => SettlementReader>> = {
  stripe: async () => (await import('./stripe/settlement.ts')).stripeSettlement,
  braintree: async () => (await import('./braintree/settlement.ts')).braintreeSettlement,
};

/** Reads what a gateway booked; it starts from the provider, whereas `Gateway` starts from an attempt. */
export async function settlementOf(name: GatewayName, env: Env): Promise<SettlementReader> {
  const open = await settlements[name]();
  return open(env);
}

const riskReaders: Record<GatewayName, () => Promise<(env: Env, now: number) => Promise<Risks>>> = {
  stripe: async () => (await import('./stripe/risks.ts')).stripeRisks,
  braintree: async () => (await import('./braintree/risks.ts')).braintreeRisks,
};

/** @param now ms since 1970 @throws when the gateway does not answer */
export async function risksOf(name: GatewayName, env: Env, now: number): Promise<Risks> {
  const read = await riskReaders[name]();
  return read(env, now);
}

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

export const webhooks: Record<GatewayName, () => Promise<Webhooks>> = {
  async stripe() {
    const { readStripeWebhook: read, stripeEvents: events } = await import('./stripe/webhook.ts');
    return { read, events };
  },
  async braintree() {
    const { braintreeEvents: events, readBraintreeWebhook: read } = await import(
      './braintree/webhook.ts'
    );
    return { read, events };
  },
};
