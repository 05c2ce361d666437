import { env } from 'cloudflare:test';
import { vi } from 'vitest';
import { planById } from '../../../../worker/catalog/plans.ts';
import { stripeClient } from '../../../../worker/payments/gateways/stripe/client.ts';
import type { ChargeRequest } from '../../../../worker/payments/rules/gateway.ts';
import { buyPlan, harness, numbers } from '../../../fakes/stripe/harness.ts';
import { attempt as anAttempt } from '../attempt-fixture.ts';
import { withoutPauses } from './without-pauses.ts';

type Fetch = Parameters<NonNullable<NonNullable<Parameters<typeof harness>[0]>['fetch']>>[0];

interface Options extends Pick<NonNullable<Parameters<typeof harness>[0]>, 'unpaidTrialStatus'> {
  /** What lies between the Worker and the bank. */
  line?: (next: Fetch) => Fetch;
}

/** When every one of these purchases is made, and the first renewal of a monthly plan is due. */
export const bought = Date.UTC(2026, 0, 15);
export const renewal = Date.UTC(2026, 1, 15);
export const hour = 3_600_000;
export const day = 24 * hour;

/** Numbers for `withFaults`: after some good calls one goes wrong, however often the client sends it. */
export const oneBadCall = (good: number, kind: number) =>
  numbers(...Array(good).fill(0.9), 0, kind, 0, kind, 0, kind, 0.9);

/**
 * A plan bought at the fake, the order it was, and the calls that the Worker's client makes since.
 * `steady` is a client of the test's own, on no line.
 */
export async function buy(id: string, { line = (next) => next, ...options }: Options = {}) {
  const plan = planById(id);
  if (!plan) throw new Error(id);
  const calls: string[] = [];
  const on = await harness({ start: bought, ...options });
  const { subscription, intent, method } = await buyPlan(on, plan);
  const attempt = anAttempt({
    id: crypto.randomUUID(),
    plan: plan.id,
    nonce: null,
    state: 'active',
    openedAt: bought,
    sentAt: bought,
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
  const order: ChargeRequest = {
    attempt,
    account: 'account',
    email: 'visitor@example.com',
    customerId: on.customer,
    methodId: method,
    record() {},
  };
  const spoil = (card = 'pm_card_chargeCustomerFail') => {
    on.fake.state.cards[method] = card;
  };
  const wire = line(on.fake.fetch);
  withoutPauses();
  vi.stubGlobal('fetch', (input: string, init: RequestInit) => {
    calls.push(`${init.method} ${new URL(input).pathname.replace('/v1', '')}`);
    return wire(input, init);
  });
  const { stripe: steady } = on;
  const stripe = stripeClient(env);
  return { ...on, stripe, steady, order, plan, calls, intent, subscription, spoil };
}
