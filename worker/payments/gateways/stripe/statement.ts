import type Stripe from 'stripe';
import { dayMs } from '../../../platform/durations.ts';
import type { Env } from '../../../platform/env.ts';
import {
  type EpochMs,
  epochMs,
  type Minor,
  minor,
  type PaymentId,
  paymentIdOf,
  sumOf,
} from '../../../platform/types.ts';
import { type ChargeRequest, providerState, stripeStates } from '../../purchase/gateway.ts';
import type { Movement, Statement } from '../../purchase/state.ts';
import { idOf, type StripeClient, stripeClient } from './client.ts';
import { pauseOf, scheduleOf } from './schedule.ts';
import { taxInMetadata, taxOfInvoice } from './tax.ts';

export const pageSize = 100;
export const maxObjects = 1000;

export const chargeOf = ({ attempt }: ChargeRequest) => {
  if (!attempt.charge) throw new TypeError(`attempt ${attempt.id} has no charge`);
  return attempt.charge;
};

export async function listAll<T>(list: Stripe.ApiListPromise<T>): Promise<T[]> {
  const items = await list.autoPagingToArray({ limit: maxObjects });
  if (items.length === maxObjects) throw new RangeError(`${maxObjects} objects or more`);
  return items;
}

export const movementOf = (
  { id, amount, created }: { id: string; amount: number; created: number },
  paymentId: PaymentId,
): Movement => ({ id, paymentId, amount: minor(amount), at: epochMs(created * 1000) });

export async function refundsOf(
  stripe: StripeClient,
  charge: Stripe.Charge,
): Promise<Stripe.Refund[]> {
  const { refunds } = charge;
  if (refunds && !refunds.has_more) return refunds.data;
  return listAll(stripe.refunds.list({ charge: charge.id, limit: pageSize }));
}

export const failedRefunds = new Set<string | null>(['failed', 'canceled', 'requires_action']);
/** https://docs.stripe.com/api/disputes/object#dispute_object-status */
const closedDisputes = new Set<string>(['won', 'lost', 'warning_closed', 'prevented']);
const oldestFirst = (movements: Movement[]) => movements.sort((a, b) => a.at - b.at);

type TaxOf = (charge: Stripe.Charge) => Minor | undefined;

async function movementsOf(stripe: StripeClient, charges: Stripe.Charge[], taxOf: TaxOf) {
  const captured = charges.filter(({ captured, status }) => captured && status === 'succeeded');
  const captures: Movement[] = [];
  const refunds: Movement[] = [];
  const disputes: Movement[] = [];
  let isDisputed = false;
  for (const charge of captured) {
    const paymentId = paymentIdOf(idOf(charge.payment_intent));
    const paid = { ...charge, id: paymentId, amount: charge.amount_captured };
    captures.push({ ...movementOf(paid, paymentId), tax: taxOf(charge) });
    const all = charge.amount_refunded > 0 ? await refundsOf(stripe, charge) : [];
    const made = all.filter(({ status }) => !failedRefunds.has(status));
    const withKey = (refund: Stripe.Refund) => ({
      ...movementOf(refund, paymentId),
      refundKey: refund.metadata?.refund,
    });
    refunds.push(...made.map(withKey));
    if (!charge.disputed) continue;
    const opened = await listAll(stripe.disputes.list({ charge: charge.id, limit: pageSize }));
    isDisputed ||= opened.some(({ status }) => !closedDisputes.has(status));
    const lost = opened.filter(({ status }) => status === 'lost');
    disputes.push(...lost.map((dispute) => movementOf(dispute, paymentId)));
  }
  return {
    captures: oldestFirst(captures),
    refunds: oldestFirst(refunds),
    disputes: oldestFirst(disputes),
    isDisputed,
  };
}

async function oneTimeStatement(stripe: StripeClient, payment_intent: string): Promise<Statement> {
  const expand = ['data.refunds'];
  const money = await movementsOf(
    stripe,
    await listAll(stripe.charges.list({ payment_intent, limit: pageSize, expand })),
    ({ metadata }) => taxInMetadata(metadata),
  );
  const remaining = sumOf(money.captures) - sumOf(money.refunds) - sumOf(money.disputes);
  const status = remaining > 0 ? 'active' : 'ended';
  return { status, paidUntil: null, ends: false, unpaid: minor(0), ...money };
}

/** Uncollectible, even if it was paid after that. */
const wasGivenUp = ({ status, status_transitions }: Stripe.Invoice) =>
  status !== 'void' && status_transitions.marked_uncollectible_at !== null;

function paidUntil(subscription: Stripe.Subscription, invoices: Stripe.Invoice[]): EpochMs {
  const periods = invoices
    .filter((invoice) => invoice.status === 'paid' && !wasGivenUp(invoice))
    .flatMap(({ lines }) => lines.data)
    .filter(({ parent }) => parent?.type === 'subscription_item_details');
  const end = Math.max(subscription.start_date, ...periods.map(({ period }) => period.end));
  return epochMs(end * 1000);
}

const renewalsOf = (invoices: Stripe.Invoice[]) =>
  invoices.filter(({ billing_reason }) => billing_reason === 'subscription_cycle');

/** Marks an invoice that we void ourselves: it gives no period away. */
export const voidedByUs = { voided_by: 'funnel' };

/** The subscription runs on, and nobody will pay for the period (docs.stripe.com/invoicing/overview#void). */
function giftUntil({ status }: Stripe.Subscription, invoices: Stripe.Invoice[]): EpochMs | null {
  const gifts = renewalsOf(invoices).filter(
    (one) => one.status === 'void' && one.metadata?.voided_by !== voidedByUs.voided_by,
  );
  const ends = gifts.flatMap(({ lines }) => lines.data.map(({ period }) => period.end));
  const runs = status === 'active' || status === 'past_due';
  return runs && ends.length > 0 ? epochMs(Math.max(...ends) * 1000) : null;
}

/** Only of the newest renewal: an older one was followed by a paid one. */
function givenUpAt(invoices: Stripe.Invoice[]): EpochMs | null {
  const [newest] = renewalsOf(invoices).sort((a, b) => b.created - a.created);
  return newest && wasGivenUp(newest)
    ? epochMs((newest.status_transitions.marked_uncollectible_at ?? 0) * 1000)
    : null;
}

const retryMs = 14 * dayMs;

/** A pause whose end could not be charged is past due while Stripe retries. Other pauses have no end date. */
function pausedState(status: string, until: number | null, now: number): Statement['status'] {
  if (status !== 'paused' || until === null) return providerState(stripeStates, status);
  if (now < until) return 'paused';
  return now < until + retryMs ? 'past_due' : 'lapsed';
}

/** A pending refund counts unless it fails. */
export async function statement(
  stripe: StripeClient,
  request: ChargeRequest,
  now = Date.now(),
): Promise<Statement> {
  const { subscriptionId, paymentId, customerId: customer } = chargeOf(request);
  if (!subscriptionId) return oneTimeStatement(stripe, paymentId ?? '');
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
  const taxes = new Map(
    invoices.flatMap((invoice) => {
      const payments = invoice.payments?.data ?? [];
      const tax = taxOfInvoice(invoice);
      return payments.map(({ payment }) => [idOf(payment.payment_intent), tax] as const);
    }),
  );
  const pausesUntil = pauseOf(await scheduleOf(stripe, subscription))?.until ?? null;
  const status = pausedState(subscription.status, pausesUntil, now);
  const open = invoices.filter(
    (invoice) => invoice.status === 'open' || invoice.status === 'uncollectible',
  );
  const gift = giftUntil(subscription, invoices);
  return {
    status,
    pausesUntil,
    paidUntil: epochMs(Math.max(paidUntil(subscription, invoices), gift ?? 0)),
    giftUntil: gift,
    givenUpAt: givenUpAt(invoices),
    ends:
      status === 'ended' || subscription.cancel_at_period_end || subscription.cancel_at !== null,
    isDebited: charges.some(
      ({ status: state, payment_intent }) => state === 'pending' && taxes.has(idOf(payment_intent)),
    ),
    endedAt: subscription.ended_at === null ? null : epochMs(subscription.ended_at * 1000),
    unpaid: sumOf(open.map(({ amount_remaining }) => ({ amount: minor(amount_remaining) }))),
    ...(await movementsOf(
      stripe,
      charges.filter(({ payment_intent }) => taxes.has(idOf(payment_intent))),
      ({ payment_intent }) => taxes.get(idOf(payment_intent)),
    )),
  };
}

/**
 * Stripe's page where a buyer pays an open invoice (docs.stripe.com/invoicing/hosted-invoice-page). Anyone
 * with the URL sees the invoice, so it is read when the e-mail is sent, and not stored.
 */
export async function invoicePage(env: Env, invoice: string): Promise<string | null> {
  const { status, hosted_invoice_url: page } = await stripeClient(env).invoices.retrieve(invoice);
  return (status === 'open' && page) || null;
}
