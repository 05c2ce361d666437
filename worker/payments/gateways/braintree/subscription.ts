import { decimal, hasOwnCoupon, ownDiscount, type Plan } from '../../../catalog/plans.ts';
import { BraintreeAmbiguousError, type Reply, rest } from './client.ts';
import type { Account } from './credentials.ts';
import { minorUnits } from './outcome.ts';
import { childOf, listOf, textOf, type Xml } from './xml.ts';

/** A subscription as it is at Braintree; sums in minor units, days as `2026-01-31`. */
export interface BraintreeSubscription {
  id: string;
  /** `Active`, `Past Due`, `Canceled`, `Expired`, `Pending`. */
  status: string;
  planId: string;
  methodToken: string;
  price: number;
  nextBillingDate: string;
  paidThroughDate: string;
  failureCount: number;
  /** Its own charges, which are renewals: the first payment is a transaction of its own. */
  charges: { id: string; status: string; amount: number; createdAt: string }[];
}

const taken = '81902';
const alreadyCanceled = '81905';

/** The first bill comes when what was paid today ends. */
const firstPeriod = ({ duration }: Plan) => ({
  trial_duration: duration?.count,
  trial_duration_unit: duration?.unit,
});

/**
 * The coupon of a plan, off every charge: a discount of its code, which the control panel must have.
 * Discounts there are amounts. Ours says its own amount and that it never ends, whatever the control
 * panel says, and nothing else is taken over from the plan.
 */
const discountOf = (plan: Plan, coupon: string | null) => ({
  options: { do_not_inherit_add_ons_or_discounts: true },
  ...(hasOwnCoupon(plan, coupon) && {
    discounts: {
      add: [{ inherited_from_id: coupon, amount: decimal(ownDiscount(plan)), never_expires: true }],
    },
  }),
});

/** @param xml a `subscription` element, of an answer or of a webhook */
export function subscriptionOf(xml: Xml | undefined): BraintreeSubscription {
  return {
    id: textOf(xml, 'id'),
    status: textOf(xml, 'status'),
    planId: textOf(xml, 'plan-id'),
    methodToken: textOf(xml, 'payment-method-token'),
    price: minorUnits(textOf(xml, 'price')),
    nextBillingDate: textOf(xml, 'next-billing-date'),
    paidThroughDate: textOf(xml, 'paid-through-date'),
    failureCount: Number(textOf(xml, 'failure-count')),
    charges: listOf(xml, 'transactions').map((one) => ({
      id: textOf(one, 'id'),
      status: textOf(one, 'status'),
      amount: minorUnits(textOf(one, 'amount')),
      createdAt: textOf(one, 'created-at'),
    })),
  };
}

/** @returns null when there is none with this id */
export async function readSubscription(
  account: Account,
  id: string,
): Promise<BraintreeSubscription | null> {
  const reply = await rest(account, 'GET', `/subscriptions/${encodeURIComponent(id)}`);
  if (reply.is === 'refused') throw new BraintreeAmbiguousError(`subscription ${reply.codes}`);
  return reply.is === 'done' ? subscriptionOf(childOf(reply.body, 'subscription')) : null;
}

/**
 * Begins the renewals of a plan under an id of ours; an id that is taken is the same subscription.
 *
 * @param coupon of the purchase; only the plan's own lowers renewals
 * @param token REST's name of the vaulted method
 * @returns the validation codes when Braintree finally refuses it
 */
export async function subscribe(
  account: Account,
  { id, plan, coupon, token }: { id: string; plan: Plan; coupon: string | null; token: string },
): Promise<BraintreeSubscription | { refused: string[] }> {
  const reply: Reply = await rest(account, 'POST', '/subscriptions', {
    subscription: {
      id,
      payment_method_token: token,
      plan_id: account.planId(plan.id),
      price: decimal(plan.price),
      merchant_account_id: account.merchantAccount(plan.currency),
      trial_period: true,
      ...firstPeriod(plan),
      ...discountOf(plan, coupon),
    },
  });
  if (reply.is === 'done') return subscriptionOf(childOf(reply.body, 'subscription'));
  if (reply.is === 'missing') throw new BraintreeAmbiguousError('http 404');
  // Whatever the no says, an earlier call whose reply was lost may have made it.
  const found = await readSubscription(account, id);
  if (found) return found;
  if (reply.codes.includes(taken)) throw new BraintreeAmbiguousError('taken and missing');
  return { refused: reply.codes };
}

/** Ends the renewals; what ended before is ended. @returns false when there is none with this id */
export async function cancelSubscription(account: Account, id: string): Promise<boolean> {
  const reply = await rest(account, 'PUT', `/subscriptions/${encodeURIComponent(id)}/cancel`);
  if (reply.is === 'refused' && !reply.codes.includes(alreadyCanceled)) {
    throw new BraintreeAmbiguousError(`cancel ${reply.codes}`);
  }
  return reply.is !== 'missing';
}
