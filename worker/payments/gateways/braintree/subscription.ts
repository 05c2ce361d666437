import { decimal } from '../../../../locales/format/currency.ts';
import { hasOwnCoupon, ownDiscount, type Plan } from '../../../catalog/rules/plans.ts';
import { type EpochMs, type Minor, type PaymentId, paymentIdOf } from '../../../platform/types.ts';
import {
  BraintreeAmbiguousError,
  type BraintreeConfig,
  hasMerchantAccount,
  rest,
} from './client.ts';
import { minorUnits } from './outcome.ts';
import { childOf, listOf, textOf, type Xml } from './xml.ts';

/** Days as `2026-01-31`. */
export interface BraintreeSubscription {
  id: string;
  status: string;
  price: Minor;
  /** Identifies the payment method. */
  token: string;
  currency: string;
  /** The amount due for periods whose charge failed. */
  balance: Minor;
  firstBillingDate: string;
  paidThroughDate: string;
  /** Newest first; the list may have only the newest 20. */
  charges: { id: PaymentId; status: string; processorCode: string; processorText: string }[];
}

const idTaken = '81902';
const alreadyCanceled = '81905';

const firstPeriod = ({ duration }: Plan) => ({
  trial_duration: duration?.count,
  trial_duration_unit: duration?.unit,
});

/** Of the control panel, for the renewals that any other coupon lowers. */
export const renewalsDiscount = 'COUPON';

/**
 * Discounts of the control panel, whose amount and duration are overridden here
 * (developer.paypal.com/braintree/docs/reference/request/subscription/create#discounts.add). A cycle is a charge that
 * the discount lowered (…/reference/response/discount#current_billing_cycle), so a trial, which is the paid period, is
 * none (articles.braintreepayments.com/guides/recurring-billing/trial-periods).
 */
const discountOf = ({ reduction, ...plan }: Plan, coupon: string | null) => {
  const own = hasOwnCoupon(plan, coupon);
  const off = reduction?.off ?? (own ? ownDiscount(plan) : null);
  if (off === null) return {};
  const length = reduction
    ? { inherited_from_id: renewalsDiscount, number_of_billing_cycles: reduction.renewals }
    : { inherited_from_id: coupon, never_expires: true };
  return { discounts: { add: [{ ...length, amount: decimal(off, plan.currency) }] } };
};

function subscriptionOf(config: BraintreeConfig, xml: Xml | undefined): BraintreeSubscription {
  const currency = config.currencyOf(textOf(xml, 'merchant-account-id'));
  return {
    currency,
    id: textOf(xml, 'id'),
    status: textOf(xml, 'status'),
    price: minorUnits(textOf(xml, 'price'), currency),
    token: textOf(xml, 'payment-method-token'),
    balance: minorUnits(textOf(xml, 'balance'), currency),
    firstBillingDate: textOf(xml, 'first-billing-date'),
    paidThroughDate: textOf(xml, 'paid-through-date'),
    charges: listOf(xml, 'transactions').map((charge) => ({
      id: paymentIdOf(textOf(charge, 'id')),
      status: textOf(charge, 'status'),
      processorCode: textOf(charge, 'processor-response-code'),
      processorText: textOf(charge, 'processor-response-text'),
    })),
  };
}

export async function readSubscription(
  config: BraintreeConfig,
  id: string,
): Promise<BraintreeSubscription | null> {
  const reply = await rest(config, `GET /subscriptions/${encodeURIComponent(id)}`);
  if (reply.kind === 'refused') throw new BraintreeAmbiguousError(`subscription ${reply.codes}`);
  return reply.kind === 'done' ? subscriptionOf(config, childOf(reply.body, 'subscription')) : null;
}

type Created =
  | { kind: 'done'; subscription: BraintreeSubscription }
  | { kind: 'refused'; codes: string[] };

interface NewSubscription {
  id: string;
  plan: Plan;
  coupon: string | null;
  token: string;
  /** The day of the first charge, ms since 1970; without it, a free trial as long as the period just paid. */
  startsAt?: EpochMs | undefined;
}

/** Idempotent, because we choose the id. @returns the validation codes of a definite refusal */
export async function subscribe(
  config: BraintreeConfig,
  { id, plan, coupon, token, startsAt }: NewSubscription,
): Promise<Created> {
  if (!hasMerchantAccount(config, plan.currency))
    return { kind: 'refused', codes: ['no merchant account'] };
  const reply = await rest(config, 'POST /subscriptions', {
    subscription: {
      id,
      payment_method_token: token,
      plan_id: config.planId(plan.id),
      price: decimal(plan.price, plan.currency),
      merchant_account_id: config.merchantAccount(plan.currency),
      ...(startsAt
        ? { trial_period: false, first_billing_date: new Date(startsAt).toISOString().slice(0, 10) }
        : { trial_period: true, ...firstPeriod(plan) }),
      options: { do_not_inherit_add_ons_or_discounts: true },
      ...discountOf(plan, coupon),
    },
  });
  if (reply.kind === 'done') {
    const made = subscriptionOf(config, childOf(reply.body, 'subscription'));
    return { kind: 'done', subscription: made };
  }
  if (reply.kind === 'missing') throw new BraintreeAmbiguousError('http 404');
  // An earlier call, whose reply was lost, may have created it.
  const subscription = await readSubscription(config, id);
  if (subscription) return { kind: 'done', subscription };
  if (reply.codes.includes(idTaken)) throw new BraintreeAmbiguousError('taken and missing');
  return { kind: 'refused', codes: reply.codes };
}

/** Idempotent. @returns false when Braintree does not know the id */
export async function cancelSubscription(config: BraintreeConfig, id: string): Promise<boolean> {
  const reply = await rest(config, `PUT /subscriptions/${encodeURIComponent(id)}/cancel`);
  if (reply.kind === 'refused' && !reply.codes.includes(alreadyCanceled)) {
    throw new BraintreeAmbiguousError(`cancel ${reply.codes}`);
  }
  return reply.kind !== 'missing';
}
