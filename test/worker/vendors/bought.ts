import type { Order } from '../../../worker/funnel/gateway.ts';
import { planById } from '../../../worker/funnel/plans.ts';
import type { Attempt } from '../../../worker/funnel/purchase.ts';
import { buyPlan, harness } from '../../fakes/stripe/harness.ts';

type Options = Parameters<typeof harness>[0];

/** When every one of these purchases is made, and the first renewal of a monthly plan is due. */
export const bought = Date.UTC(2026, 0, 15);
export const renewal = Date.UTC(2026, 1, 15);
export const hour = 3_600_000;
export const day = 24 * hour;

/** A plan bought at the fake, the order it was, and the calls that were made since. */
export async function buy(id: string, options: Options = {}) {
  const plan = planById(id);
  if (!plan) throw new Error(id);
  const calls: string[] = [];
  const on = await harness({
    start: bought,
    ...options,
    fetch: (fetch) => {
      const faulty = options.fetch?.(fetch) ?? fetch;
      return (input, init) => {
        const { method, url } = new Request(input, init);
        calls.push(`${method} ${new URL(url).pathname.replace('/v1', '')}`);
        return faulty(input, init);
      };
    },
  });
  const { subscription, intent, method } = await buyPlan(on, plan);
  const attempt: Attempt = {
    id: crypto.randomUUID(),
    pollingId: 'p',
    gateway: 'stripe',
    slot: plan.slot,
    plan: plan.id,
    amount: plan.today,
    coupon: null,
    nonce: null,
    deviceData: null,
    experiment: null,
    arm: 'fullPrice',
    terms: null,
    state: 'active',
    openedAt: bought,
    challengedAt: null,
    rounds: 0,
    dueAt: 0,
    tries: 0,
    paymentId: intent,
    secret: null,
    charge: {
      subscriptionId: subscription,
      paymentId: intent,
      customerId: on.customer,
      methodId: method,
      amount: plan.today,
      currency: plan.currency,
    },
    declineCode: null,
    processorResponse: null,
    version: 3,
  };
  const order: Order = {
    attempt,
    account: 'account',
    email: 'visitor@example.com',
    customerId: on.customer,
    methodId: method,
  };
  const spoil = (card = 'pm_card_chargeCustomerFail') => {
    on.fake.state.cards[method] = card;
  };
  /** The client whose calls are counted, over the line that the options bend. */
  const stripe = on.faulty;
  return { ...on, stripe, steady: on.stripe, order, plan, calls, intent, subscription, spoil };
}
