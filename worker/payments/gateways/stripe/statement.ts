import type Stripe from 'stripe';
import type { ChargeRequest, Movement, Statement } from '../../rules/gateway.ts';
import { providerState, stripeStates } from '../../rules/provider-status.ts';
import type { StripeClient } from './client.ts';
import { chargeOf, idOf, limit, listAll, moneyOf } from './money.ts';

const sum = (movements: Movement[]) => movements.reduce((total, { amount }) => total + amount, 0);

async function onceStatement(stripe: StripeClient, payment_intent: string): Promise<Statement> {
  const expand = ['data.refunds'];
  const money = await moneyOf(
    stripe,
    await listAll(stripe.charges.list({ payment_intent, limit, expand })),
  );
  const kept = sum(money.captures) - sum(money.refunds) - sum(money.disputes);
  return { status: kept > 0 ? 'active' : 'ended', paidUntil: null, ends: false, ...money };
}

/** The end of the last period that a paid invoice is for, ms since 1970. */
function paidUntil(subscription: Stripe.Subscription, invoices: Stripe.Invoice[]): number {
  const periods = invoices
    .filter(({ status }) => status === 'paid')
    .flatMap(({ lines }) => lines.data)
    .filter(({ parent }) => parent?.type === 'subscription_item_details');
  return Math.max(subscription.start_date, ...periods.map(({ period }) => period.end)) * 1000;
}

/**
 * What Stripe knows of what an active attempt bought: two calls (one for a one-time plan), another
 * for each hundred invoices or charges, for each charge with more than ten refunds, and for each
 * disputed charge. An open dispute is no movement yet; a refund that is under way is one, until it
 * fails. A renewal's invoice is a draft for an hour: so long `paidUntil` is the past.
 *
 * @throws when Stripe does not answer
 */
export async function statement(stripe: StripeClient, order: ChargeRequest): Promise<Statement> {
  const { subscriptionId, paymentId, customerId: customer } = chargeOf(order);
  if (!subscriptionId) return onceStatement(stripe, paymentId);
  const [invoices, charges] = await Promise.all([
    listAll(
      stripe.invoices.list({
        subscription: subscriptionId,
        limit,
        expand: ['data.payments', 'data.parent.subscription_details.subscription'],
      }),
    ),
    listAll(stripe.charges.list({ customer, limit, expand: ['data.refunds'] })),
  ]);
  const subscription = invoices[0]?.parent?.subscription_details?.subscription;
  if (!subscription || typeof subscription === 'string') throw new TypeError('no subscription');
  const payments = invoices.flatMap(({ payments: list }) => list?.data ?? []);
  const intents = new Set(payments.map(({ payment }) => idOf(payment.payment_intent)));
  const status = providerState(stripeStates, subscription.status);
  return {
    status,
    paidUntil: paidUntil(subscription, invoices),
    ends:
      status === 'ended' || subscription.cancel_at_period_end || subscription.cancel_at !== null,
    ...(await moneyOf(
      stripe,
      charges.filter(({ payment_intent }) => intents.has(idOf(payment_intent))),
    )),
  };
}
