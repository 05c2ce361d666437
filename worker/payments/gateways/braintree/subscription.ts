import { decimal, hasOwnCoupon, ownDiscount, type Plan } from '../../../catalog/plans.ts';
import { type Minor, type PaymentId, paymentIdOf } from '../../../types.ts';
import { type Account, BraintreeAmbiguousError, rest } from './client.ts';
import { minorUnits } from './outcome.ts';
import { childOf, listOf, textOf, type Xml } from './xml.ts';

/** Days as `2026-01-31`. */
export interface BraintreeSubscription {
  id: string;
  status: string;
  price: Minor;
  nextBillingDate: string;
  paidThroughDate: string;
  charges: { id: PaymentId }[];
}

const idTaken = '81902';
const alreadyCanceled = '81905';

const firstPeriod = ({ duration }: Plan) => ({
  trial_duration: duration?.count,
  trial_duration_unit: duration?.unit,
});

/** A plan's own coupon is a discount of the control panel, whose amount and duration are overridden here. */
const discountOf = (plan: Plan, coupon: string | null) => ({
  options: { do_not_inherit_add_ons_or_discounts: true },
  ...(hasOwnCoupon(plan, coupon) && {
    discounts: {
      add: [{ inherited_from_id: coupon, amount: decimal(ownDiscount(plan)), never_expires: true }],
    },
  }),
});

function subscriptionOf(xml: Xml | undefined): BraintreeSubscription {
  return {
    id: textOf(xml, 'id'),
    status: textOf(xml, 'status'),
    price: minorUnits(textOf(xml, 'price')),
    nextBillingDate: textOf(xml, 'next-billing-date'),
    paidThroughDate: textOf(xml, 'paid-through-date'),
    charges: listOf(xml, 'transactions').map((charge) => ({
      id: paymentIdOf(textOf(charge, 'id')),
    })),
  };
}

export async function readSubscription(
  account: Account,
  id: string,
): Promise<BraintreeSubscription | null> {
  const reply = await rest(account, 'GET', `/subscriptions/${encodeURIComponent(id)}`);
  if (reply.kind === 'refused') throw new BraintreeAmbiguousError(`subscription ${reply.codes}`);
  return reply.kind === 'done' ? subscriptionOf(childOf(reply.body, 'subscription')) : null;
}

/**
 * Idempotent, because the id is ours. @param token of the vaulted method in the REST API
 * @returns the validation codes of a definite refusal
 */
export async function subscribe(
  account: Account,
  { id, plan, coupon, token }: { id: string; plan: Plan; coupon: string | null; token: string },
): Promise<
  { kind: 'done'; subscription: BraintreeSubscription } | { kind: 'refused'; codes: string[] }
> {
  const reply = await rest(account, 'POST', '/subscriptions', {
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
  if (reply.kind === 'done') {
    return { kind: 'done', subscription: subscriptionOf(childOf(reply.body, 'subscription')) };
  }
  if (reply.kind === 'missing') throw new BraintreeAmbiguousError('http 404');
  // An earlier call, whose reply was lost, may have created it.
  const subscription = await readSubscription(account, id);
  if (subscription) return { kind: 'done', subscription };
  if (reply.codes.includes(idTaken)) throw new BraintreeAmbiguousError('taken and missing');
  return { kind: 'refused', codes: reply.codes };
}

/** Idempotent. @returns false when Braintree does not know the id */
export async function cancelSubscription(account: Account, id: string): Promise<boolean> {
  const reply = await rest(account, 'PUT', `/subscriptions/${encodeURIComponent(id)}/cancel`);
  if (reply.kind === 'refused' && !reply.codes.includes(alreadyCanceled)) {
    throw new BraintreeAmbiguousError(`cancel ${reply.codes}`);
  }
  return reply.kind !== 'missing';
}
