import { env } from 'cloudflare:test';
import { vi } from 'vitest';
import { builtInCatalog } from '../../../../../worker/catalog/rules/catalog.ts';
import { stripeClient } from '../../../../../worker/payments/gateways/stripe/client.ts';
import { stripeGateway } from '../../../../../worker/payments/gateways/stripe/gateway.ts';
import type { ChargeRequest } from '../../../../../worker/payments/purchase/gateway.ts';
import { buyPlan, harness, numbers } from '../../../../fakes/stripe/harness.ts';
import type { StripeOptions } from '../../../../fakes/stripe/server.ts';
import {
  type AttemptChange,
  accountId,
  attempt as anAttempt,
} from '../../attempts/attempt-fixture.ts';
import { stubStripe } from '../../payments-fixture.ts';
import { newChargeRequest } from '../gateway-fixture.ts';

export const gateway = stripeGateway(env);

/** Test payment methods: one that declines only when charged, one that is always challenged. */
export const declinesLate = 'pm_card_chargeCustomerFail';
export const requiresChallenge = 'pm_card_authenticationRequired';

/** Stripe's client waits 0.5 to 2 s before a retry; removes these delays. */
export function withoutRetryDelays(): void {
  const wait = globalThis.setTimeout;
  const shorter = (run: () => void, ms = 0, ...rest: []) =>
    wait(run, ms >= 500 && ms <= 2000 ? 0 : ms, ...rest);
  vi.stubGlobal('setTimeout', shorter);
}

type BeforeCall = (path: string, init: RequestInit) => Promise<Response | undefined> | undefined;

/** A fake Stripe that records every call; `before` may run first, or respond instead. */
export function recordedStripe(before: BeforeCall = () => undefined, options: StripeOptions = {}) {
  const calls: { path: string; body: string }[] = [];
  const wrap =
    (next: typeof fetch): typeof fetch =>
    async (input, init = {}) => {
      const { pathname } = new URL(new Request(input).url);
      const path = `${init.method} ${pathname.replace(/^\/v1/, '')}`;
      calls.push({ path, body: String(init.body ?? '') });
      return (await before(path, init)) ?? next(input, init);
    };
  return { fake: stubStripe({ wrap, ...options }), calls };
}

/** A sent attempt of a new customer. */
export const chargeRequest = (plan: string, nonce: string, change: AttemptChange = {}) =>
  newChargeRequest(gateway, { plan, nonce, state: 'sent', ...change });

/** The statuses of everything that could still be paid or renewed. */
export const statuses = ({ state }: ReturnType<typeof stubStripe>) => ({
  subscriptions: Object.values(state.subscriptions).map(({ status }) => status),
  invoices: Object.values(state.invoices).map(({ status }) => status),
  intents: Object.values(state.payment_intents).map(({ status }) => status),
});

/** When `buy` buys, and when the first renewal of a monthly plan is due. */
export const boughtAt = Date.UTC(2026, 0, 15);
export const renewalAt = Date.UTC(2026, 1, 15);
export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** Random numbers for `withFaults`: after some successful calls one fails, and its two retries too. */
export const failOneCall = (goodCalls: number, kind: number) =>
  numbers(...Array(goodCalls).fill(0.9), 0, kind, 0, kind, 0, kind, 0.9);

type Fetch = Parameters<NonNullable<NonNullable<Parameters<typeof harness>[0]>['fetch']>>[0];

interface BuyOptions extends Pick<StripeOptions, 'unpaidTrialStatus'> {
  /** Wraps the connection of the Worker's client. */
  wrap?: (next: Fetch) => Fetch;
}

/**
 * A plan bought at the fake, and the later calls of the Worker's client. `direct` is a client that is neither
 * wrapped nor recorded.
 */
export async function buy(id: string, { wrap = (next) => next, ...options }: BuyOptions = {}) {
  const plan = builtInCatalog.planById(id);
  if (!plan) throw new Error(id);
  const calls: string[] = [];
  const on = await harness({ start: boughtAt, ...options });
  const { subscription, intent, method } = await buyPlan(on, plan);
  const attempt = anAttempt({
    id: crypto.randomUUID(),
    plan,
    nonce: null,
    state: 'active',
    openedAt: boughtAt,
    sentAt: boughtAt,
    paymentId: intent,
    charge: {
      subscriptionId: subscription,
      paymentId: intent,
      customerId: on.customer,
      methodId: method,
      amount: plan.today,
      currency: plan.currency,
    },
  });
  const request: ChargeRequest = {
    attempt,
    account: accountId('account'),
    email: 'visitor@example.com',
    customerId: on.customer,
    methodId: method,
    record() {},
  };
  const replaceCard = (card = declinesLate) => {
    on.fake.state.cards[method] = card;
  };
  const wrapped = wrap(on.fake.fetch);
  withoutRetryDelays();
  vi.stubGlobal('fetch', (input: string, init: RequestInit) => {
    calls.push(`${init.method} ${new URL(input).pathname.replace('/v1', '')}`);
    return wrapped(input, init);
  });
  const { stripe: direct } = on;
  return {
    ...on,
    stripe: stripeClient(env),
    direct,
    order: request,
    plan,
    calls,
    intent,
    subscription,
    replaceCard,
  };
}

export type Bought = Awaited<ReturnType<typeof buy>>;
