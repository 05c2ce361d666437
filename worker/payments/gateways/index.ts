import type { Currency } from '../../catalog/rules/currencies.ts';
import type { Plan } from '../../catalog/rules/plans.ts';
import type { Env } from '../../platform/env.ts';
import type { Log } from '../../platform/log.ts';
import type { Gateway, GatewayEvent } from '../purchase/gateway.ts';
import type { Risks } from '../purchase/risks.ts';
import type { PaidPeriod, SettlementReader } from '../purchase/settlement.ts';
import type { GatewayName } from '../purchase/state.ts';
import { braintreeCredentials, hasBraintree, settles } from './braintree/client.ts';
import { cachedClientToken } from './braintree/client-token-cache.ts';
import type { CardGateway } from './card-gateway.ts';
import { offersPayPal, type PriceCheck, type RetryCheck } from './settings.ts';

interface Webhooks {
  /** @param now ms since 1970 @returns null unless the gateway signed this body recently */
  read(
    env: Env,
    posted: { body: string; headers: Headers },
    now: number,
  ): Promise<GatewayEvent | null>;
  events: readonly string[];
}

/** Its code is loaded with the first payment, because pages do not need it. */
interface Entry {
  isConfigured(env: Env): boolean;
  /** Whether the account charges this currency. */
  settles(env: Env, currency: Currency): boolean;
  verifiesWebhooks(env: Env): boolean;
  /** Whether a payment charges nothing. */
  isTestMode(env: Env): boolean;
  /** An approved payment method of the test mode. */
  testMethod: string;
  /** Whether it shows PayPal's own button. */
  offersPayPal?(env: Env): boolean;
  /** The field of the payment settings with the key for the browser. */
  browserKeyField: string;
  /** @returns null when a page cannot show its fields now */
  browserKey(env: Env, currency: Currency, log: Log): Promise<string | null>;
  /** @param signal aborts every call; set, with shorter timeouts, while another gateway could take the payment */
  gateway(env: Env, signal?: AbortSignal): Promise<Gateway>;
  cards(env: Env): Promise<CardGateway>;
  /** Reads what it booked; it starts from the provider, whereas `Gateway` starts from an attempt. */
  settlement(env: Env): Promise<SettlementReader>;
  /** @param now ms since 1970 @throws when the gateway does not answer */
  risks(env: Env, now: number): Promise<Risks>;
  webhooks(): Promise<Webhooks>;
  /** A page of the events that our endpoint did not acknowledge; absent where no API lists them. */
  missedEvents?(
    env: Env,
    period: PaidPeriod,
    cursor: string | null,
  ): Promise<{ events: GatewayEvent[]; next: string | null }>;
  /** Whether the provider can sell these plans at our prices. @param creates creates what its orders need */
  checkPrices(env: Env, plans: readonly Plan[], creates?: boolean): Promise<PriceCheck[]>;
  checkRetries(env: Env): Promise<RetryCheck>;
}

/** What the Worker does at each gateway. */
export const gateways: Readonly<Record<GatewayName, Entry>> = {
  stripe: {
    isConfigured: (env) => !!env.STRIPE_SECRET_KEY,
    // Every currency of the catalog is in docs.stripe.com/currencies#presentment-currencies, at every account.
    settles: () => true,
    verifiesWebhooks: (env) => !!env.STRIPE_WEBHOOK_SECRET,
    isTestMode: (env) => /^[rs]k_test_/.test(env.STRIPE_SECRET_KEY ?? ''),
    testMethod: 'pm_card_visa',
    browserKeyField: 'stripe_publishable_key',
    browserKey: async (env) => env.STRIPE_PUBLISHABLE_KEY ?? '',
    gateway: async (env, signal) =>
      (await import('./stripe/gateway.ts')).stripeGateway(env, signal),
    cards: async (env) => (await import('./stripe/card.ts')).stripeCards(env),
    settlement: async (env) => (await import('./stripe/settlement.ts')).stripeSettlement(env),
    risks: async (env, now) => (await import('./stripe/risks.ts')).stripeRisks(env, now),
    async webhooks() {
      const { readStripeWebhook: read, stripeEvents: events } = await import('./stripe/webhook.ts');
      return { read, events };
    },
    missedEvents: async (env, period, cursor) =>
      (await import('./stripe/webhook.ts')).missedStripeEvents(env, period, cursor),
    checkPrices: async (env, plans) =>
      (await import('./stripe/prices.ts')).checkConfiguredPrices(env, plans),
    async checkRetries(env) {
      const [{ stripeClient }, { checkRetries }] = await Promise.all([
        import('./stripe/client.ts'),
        import('./stripe/prices.ts'),
      ]);
      return checkRetries(stripeClient(env), Date.now());
    },
  },
  braintree: {
    isConfigured: hasBraintree,
    settles,
    verifiesWebhooks: hasBraintree,
    isTestMode: (env) => env.BRAINTREE_ENVIRONMENT !== 'production',
    testMethod: 'fake-valid-nonce',
    offersPayPal: (env) => hasBraintree(env) && offersPayPal(env),
    browserKeyField: 'braintree_client_token',
    browserKey: (env, currency, log) => cachedClientToken(env, currency, log),
    gateway: async (env, signal) =>
      (await import('./braintree/gateway.ts')).braintreeGateway(env, signal),
    cards: async (env) => (await import('./braintree/card.ts')).braintreeCards(env),
    settlement: async (env) => (await import('./braintree/settlement.ts')).braintreeSettlement(env),
    risks: async (env, now) => (await import('./braintree/risks.ts')).braintreeRisks(env, now),
    async webhooks() {
      const { readBraintreeWebhook: read, braintreeEvents: events } = await import(
        './braintree/webhook.ts'
      );
      return { read, events };
    },
    checkPrices: async (env, plans, creates) =>
      (await import('./braintree/plan-check.ts')).checkPlans(
        braintreeCredentials(env),
        plans,
        creates,
      ),
    // Only in the control panel (developer.paypal.com/braintree/articles/guides/recurring-billing).
    checkRetries: async () => ({
      settings: 'the control panel: Settings, Processing, Recurring billing',
      planned: null,
      unplanned: null,
      furthestDays: null,
    }),
  },
};

export const isConfigured = (name: GatewayName, env: Env): boolean =>
  gateways[name].isConfigured(env);

/** Whether payments in that currency may be sent to it. */
export const canCharge = (name: GatewayName, env: Env, currency: Currency): boolean =>
  gateways[name].isConfigured(env) && gateways[name].settles(env, currency);

export const gatewayOf = (name: GatewayName, env: Env, signal?: AbortSignal): Promise<Gateway> =>
  gateways[name].gateway(env, signal);

export const webhooksOf = (name: GatewayName): Promise<Webhooks> => gateways[name].webhooks();
