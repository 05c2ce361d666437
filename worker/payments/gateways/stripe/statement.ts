import type Stripe from 'stripe';
import type { ChargeRequest, Movement, Statement } from '../../rules/gateway.ts';
import { providerState, stripeStates } from '../../rules/provider-status.ts';
import type { StripeClient } from './client.ts';
import { chargeOf, idOf, listAll, movementsOf, pageSize } from './money.ts';

const sum = (movements: Movement[]) => movements.reduce((total, { amount }) => total + amount, 0);

async function oneTimeStatement(stripe: StripeClient, payment_intent: string): Promise<Statement> {
  const expand = ['data.refunds'];
  const money = await movementsOf(
    stripe,
    await listAll(stripe.charges.list({ payment_intent, limit: pageSize, expand })),
  );
  const remaining = sum(money.captures) - sum(money.refunds) - sum(money.disputes);
  return { status: remaining > 0 ? 'active' : 'ended', paidUntil: null, ends: false, ...money };
}

function paidUntil(subscription: Stripe.Subscription, invoices: Stripe.Invoice[]): number {
  const periods = invoices
    .filter(({ status }) => status === 'paid')
    .flatMap(({ lines }) => lines.data)
    .filter(({ parent }) => parent?.type === 'subscription_item_details');
  return Math.max(subscription.start_date, ...periods.map(({ period }) => period.end)) * 1000;
}

/**
 * Usually two calls. Open disputes are left out; a pending refund counts until it fails. In the hour in
 * which a renewal's invoice is a draft, `paidUntil` is in the past.
 */
export async function statement(stripe: StripeClient, order: ChargeRequest): Promise<Statement> {
  const { subscriptionId, paymentId, customerId: customer } = chargeOf(order);
  if (!subscriptionId) return oneTimeStatement(stripe, paymentId);
  const [invoices, charges] = await Promise.all([
    listAll(
      stripe.invoices.list({
        subscription: subscriptionId,
        limit: pageSize,
        expand: ['data.payments', 'data.parent.subscription_details.subscription'],
      }),
    ),
    listAll(stripe.charges.list({ customer, limit: pageSize, expand: ['data.refunds'] })),
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
    ...(await movementsOf(
      stripe,
      charges.filter(({ payment_intent }) => intents.has(idOf(payment_intent))),
    )),
  };
}
