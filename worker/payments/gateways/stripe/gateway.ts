import type { Env } from '../../../env.ts';
import { type GatewayOutcome, sendLimit } from '../../rules/attempt.ts';
import type { ChargeRequest, Gateway } from '../../rules/gateway.ts';
import { requestsThreeDSecure } from '../three-d-secure.ts';
import { cancel, endNow } from './cancel-resume.ts';
import { stripeClient } from './client.ts';
import { createSubscription, once, rowOf } from './create-subscription.ts';
import { find as findAt } from './find.ts';
import { isRefused, type Made, outcomeOfError, outcomeOfIntent, type Read } from './outcome.ts';
import { pricesOf } from './prices.ts';
import { RefundRefused, refund } from './refund.ts';
import { statement } from './statement.ts';
import { resume } from './stripe-resume.ts';
import { offersOf } from './trial-offers.ts';

/** So that a repeat, too, is sent within the limit. */
const lastSend = sendLimit - 45_000;

const expired: GatewayOutcome = { kind: 'rejected', reason: 'expired' };

/**
 * What the details of a payment method name it by: cards and bank accounts have a fingerprint, PayPal
 * a payer, Link an e-mail (docs.stripe.com/api/payment_methods/object).
 */
interface Named {
  fingerprint?: string | null;
  payer_id?: string | null;
  payer_email?: string | null;
  email?: string | null;
}

/**
 * Stripe behind the Gateway interface. A plan is a subscription whose first invoice is paid now:
 * created unpaid (`default_incomplete`), then confirmed, so that a declined card leaves nothing
 * active. Each call carries a key derived from the attempt, so that a repeat is the same call
 * (docs.stripe.com/api/idempotent_requests).
 */
export function stripeGateway(env: Env): Gateway {
  const stripe = stripeClient(env);
  const account = {
    stripe,
    product: env.STRIPE_PRODUCT ?? '',
    prices: pricesOf(env.STRIPE_PRICES),
    offers: offersOf(env.STRIPE_TRIAL_OFFERS),
  };
  const asking = requestsThreeDSecure(env)
    ? ({ payment_method_options: { card: { request_three_d_secure: 'any' } } } as const)
    : {};

  /** The method to charge: a new one becomes the customer's, else the saved one. */
  async function attached({
    attempt,
    customerId: customer,
    methodId,
  }: ChargeRequest): Promise<string> {
    if (!attempt.nonce) return methodId ?? '';
    const key = { idempotencyKey: `${attempt.id}:attach` };
    const { id } = await stripe.paymentMethods.attach(attempt.nonce, { customer }, key);
    return id;
  }

  const find = (order: ChargeRequest) => findAt(stripe, order);
  const read = async (made: Made): Promise<Read> => ({
    intent: await stripe.paymentIntents.retrieve(made.paymentId),
    made,
  });

  /**
   * Voids what is not paid; the provider refuses that for what was paid meanwhile. A trial may run
   * on without its first invoice, so that the subscription is ended too.
   */
  async function close(order: ChargeRequest, { paymentId, invoiceId, subscriptionId }: Made) {
    if (!invoiceId || !subscriptionId) {
      const { status } = await stripe.paymentIntents.retrieve(paymentId);
      if (status === 'canceled') return;
      await stripe.paymentIntents.cancel(paymentId, {}, once(order, 'cancel'));
      return;
    }
    const { status } = await stripe.invoices.retrieve(invoiceId);
    if (status !== 'void') await stripe.invoices.voidInvoice(invoiceId, {}, once(order, 'void'));
    await endNow(stripe, subscriptionId);
  }

  /**
   * A no is closed first, also one that was closed in part, so that nothing is paid later. What was paid
   * and is not sold stays paid, for an operator to give back; its subscription must not renew.
   */
  async function conclude(order: ChargeRequest, { intent, made }: Read, outcome: GatewayOutcome) {
    const no = outcome.kind === 'declined' || outcome.kind === 'rejected';
    if (no && intent.status !== 'succeeded') await close(order, made);
    else if (no && made.subscriptionId) await endNow(stripe, made.subscriptionId);
    return outcome;
  }

  const judge = (order: ChargeRequest, found: Read) => outcomeOfIntent(found, order, rowOf(order));

  /** A call that makes something was refused; an earlier one may have made it all the same. */
  async function refused(order: ChargeRequest, outcome: GatewayOutcome): Promise<GatewayOutcome> {
    const made = await find(order);
    if (!made) return outcome;
    const found = await read(made);
    const now = judge(order, found);
    return conclude(order, found, now.kind === 'unfinished' ? outcome : now);
  }

  return {
    async customer(account, email) {
      const key = { idempotencyKey: `${account}:customer` };
      const made = await stripe.customers
        .create({ email, metadata: { account } }, key)
        .catch((error) => void outcomeOfError(error));
      // The client takes any answer for a customer that does not say that it is an error.
      if (made && !made.id) throw new TypeError('no customer');
      return made?.id;
    },

    async forget(_account, customerId) {
      await stripe.customers.update(customerId, { email: '' });
    },

    async fingerprint(nonce) {
      const method = await stripe.paymentMethods.retrieve(nonce).catch((error) => {
        outcomeOfError(error);
        return null;
      });
      const told = method && (method as unknown as Record<string, Named | undefined>)[method.type];
      return told?.fingerprint ?? told?.payer_id ?? told?.payer_email ?? told?.email ?? null;
    },

    async charge(order) {
      order.record({ sentAt: Date.now() });
      let method: string;
      let made: Made;
      try {
        method = await attached(order);
        made = await createSubscription(account, order, method);
      } catch (error) {
        return refused(order, outcomeOfError(error));
      }
      // What was made exists, whatever reading it says.
      const found = await read(made);
      const now = judge(order, found);
      if (now.kind !== 'unfinished') return conclude(order, found, now);
      if (Date.now() - order.attempt.openedAt > lastSend) return { kind: 'unknown' };
      try {
        const intent = await stripe.paymentIntents.confirm(
          found.intent.id,
          // Without it, and without an address to come back to, Stripe.js could not ask the payer here.
          { payment_method: method, use_stripe_sdk: true, ...asking },
          once(order, 'confirm'),
        );
        const confirmed = { intent, made };
        return conclude(order, confirmed, judge(order, confirmed));
      } catch (error) {
        const outcome = outcomeOfError(error);
        await close(order, made);
        return outcome;
      }
    },

    async lookUp(order) {
      const made = await find(order);
      return made ? judge(order, await read(made)) : { kind: 'none' };
    },

    async settle(order) {
      const made = await find(order);
      if (!made) return expired;
      const found = await read(made).catch((error) => {
        if (isRefused(error)) return null;
        throw error;
      });
      if (!found) {
        // A payment that cannot be read: its invoice can be voided only while nobody paid it.
        await close(order, made);
        return expired;
      }
      const outcome = judge(order, found);
      const unpaid = outcome.kind === 'challenge' || outcome.kind === 'unfinished';
      return conclude(order, found, unpaid ? expired : outcome);
    },

    statement: (order) => statement(stripe, order),
    cancel: (order, askedAt) => cancel(stripe, order, askedAt),
    resume: (order, askedAt) => resume(stripe, order, askedAt),
    async refund(order, paymentId, amount, { key }) {
      try {
        await refund(stripe, order, paymentId, amount, key);
        return null;
      } catch (error) {
        if (error instanceof RefundRefused) return { refused: error.message };
        throw error;
      }
    },
  };
}
