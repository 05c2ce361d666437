import Stripe from 'stripe';
import { hourMs } from '../../../platform/durations.ts';
import type { Env } from '../../../platform/env.ts';
import { minor, sumOf } from '../../../platform/types.ts';
import type { Card, PayOutcome, VerifyOutcome } from '../../purchase/card-update.ts';
import type { CardGateway, CardOrder } from '../card-gateway.ts';
import { idOf, type StripeClient, stripeClient } from './client.ts';
import { threeDSecureOptions } from './config.ts';
import { isBeingDebited, paymentOfInvoice } from './debit.ts';
import { isRefused, outcomeOfError } from './outcome.ts';
import { listAll, pageSize } from './statement.ts';

/** docs.stripe.com/api/payment_methods/object#payment_method_object-card-brand */
const brands: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

const wallets: Record<string, string> = { link: 'Link', paypal: 'PayPal' };
const noCard = { last4: '', month: null, year: null };

function cardOf(method: Stripe.PaymentMethod): Card {
  const { card, sepa_debit: debit } = method;
  if (debit) return { brand: 'SEPA', last4: debit.last4 ?? '', month: null, year: null };
  if (!card) return { brand: wallets[method.type] ?? method.type, ...noCard };
  const { brand, last4, exp_month: month, exp_year: year } = card;
  return { brand: brands[brand] ?? brand, last4, month, year };
}

const key = ({ update }: CardOrder, step: string) => ({ idempotencyKey: `${update.id}:${step}` });

/** What a definite refusal of a card means. @throws if the call may have been executed */
function refusalOf(error: unknown) {
  const outcome = outcomeOfError(error);
  if (outcome.kind === 'declined') return outcome;
  const reason = outcome.kind === 'rejected' ? outcome.reason : outcome.kind;
  return { kind: 'rejected', reason } as const;
}

const declinedBy = (failure: Stripe.SetupIntent.LastSetupError | null) =>
  ({
    kind: 'declined',
    declineCode: failure?.decline_code || failure?.code || 'generic_decline',
    processorResponse: failure?.message ?? '',
  }) as const;

async function readSetup(
  stripe: StripeClient,
  order: CardOrder,
  intent: Stripe.SetupIntent,
): Promise<VerifyOutcome> {
  if (idOf(intent.customer) !== order.customerId) return { kind: 'rejected' };
  switch (intent.status) {
    case 'succeeded': {
      const methodId = idOf(intent.payment_method);
      const card = cardOf(await stripe.paymentMethods.retrieve(methodId));
      return { kind: 'saved', methodId, card };
    }
    case 'requires_action':
      return { kind: 'challenge', intentId: intent.id, secret: intent.client_secret ?? '' };
    case 'requires_payment_method':
      return declinedBy(intent.last_setup_error);
    case 'canceled':
      return { kind: 'rejected' };
    default:
      throw new TypeError(`setup ${intent.status}`);
  }
}

/** A definite answer that the payer has to act. https://docs.stripe.com/error-codes */
const needsPayer = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof Stripe.errors.StripeError &&
  (error.code === 'authentication_required' ||
    error.code === 'invoice_payment_intent_requires_action');

const isOpen = ({ status, amount_remaining }: Stripe.Invoice) =>
  status === 'open' && amount_remaining > 0;

async function openInvoices(stripe: StripeClient, subscriptionIds: readonly string[]) {
  const all: Stripe.Invoice[] = [];
  for (const subscription of subscriptionIds) {
    const list = { subscription, status: 'open', limit: pageSize } as const;
    all.push(...(await listAll(stripe.invoices.list(list))));
  }
  return all.filter(isOpen).sort((a, b) => a.created - b.created);
}

/**
 * An invoice's payment succeeds at most once, however often it is sent, and Stripe refuses to pay a paid one. It is
 * paid off session first, since the bank has just verified the card; only if the bank challenges it, the payer is
 * asked again (docs.stripe.com/api/invoices/pay, `off_session`).
 */
async function payInvoice(stripe: StripeClient, order: CardOrder, id: string): Promise<PayOutcome> {
  const { methodId } = order.update;
  // The debit is already being processed; a second payment would take the money twice.
  if (await isBeingDebited(stripe, id)) return { kind: 'nothing_due' };
  // Stripe replays a 500 under its key for a day, so the key changes every hour.
  const hour = Math.floor(Date.now() / hourMs);
  const send = (off_session: boolean) =>
    stripe.invoices.pay(
      id,
      { payment_method: methodId ?? '', off_session },
      key(order, `pay:${id}:${off_session}:${hour}`),
    );
  const cancelIfRefused = async (error: unknown): Promise<PayOutcome> => {
    const outcome = refusalOf(error);
    if (outcome.kind === 'declined') return outcome;
    if (!isOpen(await stripe.invoices.retrieve(id))) return { kind: 'nothing_due' };
    return { kind: 'declined', declineCode: 'generic_decline', processorResponse: outcome.reason };
  };
  const challenge = async (): Promise<PayOutcome> => {
    const intent = await paymentOfInvoice(stripe, id);
    if (intent.status === 'succeeded') return { kind: 'nothing_due' };
    if (intent.status !== 'requires_action') return { kind: 'unknown' };
    return { kind: 'challenge', intentId: intent.id, secret: intent.client_secret ?? '' };
  };
  try {
    await send(true);
    return { kind: 'nothing_due' };
  } catch (error) {
    if (!needsPayer(error)) return cancelIfRefused(error);
    if (error.code !== 'authentication_required') return challenge();
  }
  try {
    await send(false);
    return { kind: 'nothing_due' };
  } catch (error) {
    return needsPayer(error) ? challenge() : cancelIfRefused(error);
  }
}

async function pay(stripe: StripeClient, order: CardOrder): Promise<PayOutcome> {
  for (const { id } of await openInvoices(stripe, order.subscriptionIds)) {
    const outcome = await payInvoice(stripe, order, id);
    if (outcome.kind !== 'nothing_due') return outcome;
  }
  return { kind: 'nothing_due' };
}

async function unlessEnded(call: Promise<unknown>): Promise<void> {
  await call.catch((error) => {
    if (!isRefused(error)) throw error;
  });
}

async function billing(
  stripe: StripeClient,
  [first = '', ...others]: readonly string[],
): ReturnType<CardGateway['billing']> {
  const customers = 'customer.invoice_settings.default_payment_method';
  const expand = ['default_payment_method', customers];
  const { default_payment_method: own, customer } = await stripe.subscriptions.retrieve(first, {
    expand,
  });
  // The phases of a planned change have no method of their own.
  const usual = typeof customer === 'string' || customer.deleted ? null : customer.invoice_settings;
  const method = own ?? usual?.default_payment_method;
  const open = await openInvoices(stripe, [first, ...others]);
  return {
    card: method && typeof method !== 'string' ? cardOf(method) : null,
    due: sumOf(open.map(({ amount_remaining }) => ({ amount: minor(amount_remaining) }))),
  };
}

async function setUp(
  stripe: StripeClient,
  order: CardOrder,
  threeDSecure: ReturnType<typeof threeDSecureOptions>,
): Promise<VerifyOutcome> {
  const { update, customerId, account } = order;
  let intent: Stripe.SetupIntent;
  try {
    intent = await stripe.setupIntents.create(
      {
        customer: customerId,
        payment_method: update.nonce,
        usage: 'off_session',
        confirm: true,
        use_stripe_sdk: true,
        // A method that may redirect would need a return URL.
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        metadata: { account, card_update: update.id },
        ...threeDSecure,
      },
      key(order, 'setup'),
    );
  } catch (error) {
    return refusalOf(error);
  }
  return readSetup(stripe, order, intent);
}

async function setDefault(stripe: StripeClient, order: CardOrder): Promise<void> {
  const default_payment_method = order.update.methodId ?? '';
  await stripe.customers.update(
    order.customerId,
    { invoice_settings: { default_payment_method } },
    key(order, 'customer'),
  );
  for (const id of order.subscriptionIds) {
    const change = { default_payment_method };
    await unlessEnded(stripe.subscriptions.update(id, change, key(order, id)));
  }
}

async function lookUpPayment(stripe: StripeClient, order: CardOrder): Promise<PayOutcome> {
  const intent = await stripe.paymentIntents.retrieve(order.update.intentId ?? '');
  switch (intent.status) {
    case 'succeeded':
      return pay(stripe, order);
    case 'requires_action':
      return { kind: 'challenge', intentId: intent.id, secret: intent.client_secret ?? '' };
    case 'requires_payment_method':
    case 'canceled':
      return declinedBy(intent.last_payment_error);
    default:
      return { kind: 'unknown' };
  }
}

/** docs.stripe.com/payments/save-and-reuse: a SetupIntent verifies a card for later payments. */
export function stripeCards(env: Env): CardGateway {
  const stripe = stripeClient(env);
  const threeDSecure = threeDSecureOptions(env);
  return {
    billing: (subscriptionIds) => billing(stripe, subscriptionIds),
    async verify(order) {
      const { intentId } = order.update;
      if (!intentId) return setUp(stripe, order, threeDSecure);
      return readSetup(stripe, order, await stripe.setupIntents.retrieve(intentId));
    },
    setDefault: (order) => setDefault(stripe, order),
    pay: (order) => pay(stripe, order),
    lookUpPayment: (order) => lookUpPayment(stripe, order),
  };
}
