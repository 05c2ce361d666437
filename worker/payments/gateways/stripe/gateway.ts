import { isRedirectWallet } from '../../../catalog/rules/stripe-wallets.ts';
import type { Env } from '../../../platform/env.ts';
import { sendLimitMs } from '../../purchase/attempt.ts';
import { type ChargeRequest, type Gateway, planFor } from '../../purchase/gateway.ts';
import type { Attempt, GatewayOutcome } from '../../purchase/state.ts';
import { requestsThreeDSecure } from '../settings.ts';
import { usesStripeTax } from '../tax-settings.ts';
import { cancel, endNow, resume } from './cancel-resume.ts';
import { onceWithFullTimeout, stripeClient } from './client.ts';
import { createSubscription, find as findMade, stepKey } from './create-subscription.ts';
import { mandateOf } from './debit.ts';
import { isPaidElsewhere } from './method-types.ts';
import { type Created, isRefused, outcomeOfError, outcomeOfIntent, type Read } from './outcome.ts';
import { changePlan, quote } from './plan-change.ts';
import { offersOf, pricesOf } from './prices.ts';
import { RefundRefused, refund } from './refund.ts';
import { statement } from './statement.ts';
import { locateCustomer } from './tax.ts';

const lastSendMs = sendLimitMs - 45_000;

const expired: GatewayOutcome = { kind: 'rejected', reason: 'expired' };

/** The fields that identify a payment method, by type: docs.stripe.com/api/payment_methods/object. */
interface MethodDetails {
  fingerprint?: string | null;
  payer_id?: string | null;
  payer_email?: string | null;
  email?: string | null;
}

/** Creates a subscription unpaid (`default_incomplete`), so that a declined card leaves nothing active. */
export function stripeGateway(env: Env, signal?: AbortSignal): Gateway {
  const stripe = stripeClient(env, signal);
  const account = {
    stripe,
    product: env.STRIPE_PRODUCT ?? '',
    prices: pricesOf(env.STRIPE_PRICES),
    offers: offersOf(env.STRIPE_TRIAL_OFFERS),
    taxed: usesStripeTax(env),
  };
  const threeDSecure = requestsThreeDSecure(env)
    ? ({ payment_method_options: { card: { request_three_d_secure: 'any' } } } as const)
    : {};

  function confirmation({ bank, wallet, nonce, acceptance }: Attempt) {
    // Also if another method is named, because a card may be sent under that name.
    if (nonce) return { ...threeDSecure, ...(acceptance && mandateOf(acceptance)) };
    // A saved wallet has its mandate, and needs a return URL in case it challenges the payer again.
    if (acceptance) return { return_url: acceptance.returnUrl };
    return bank || isRedirectWallet(wallet) ? {} : threeDSecure;
  }

  async function attachMethod(request: ChargeRequest): Promise<string> {
    const { attempt, customerId: customer, methodId } = request;
    if (!attempt.nonce) return methodId ?? '';
    if (account.taxed) await locateCustomer(stripe, request);
    if (isPaidElsewhere(attempt)) return attempt.nonce;
    const key = { idempotencyKey: `${attempt.id}:attach` };
    const { id } = await stripe.paymentMethods.attach(attempt.nonce, { customer }, key);
    return id;
  }

  const find = (request: ChargeRequest) => findMade(stripe, request);
  const read = async (made: Created): Promise<Read> => ({
    intent: await stripe.paymentIntents.retrieve(made.paymentId, { expand: ['latest_charge'] }),
    made,
  });

  /** A trial could continue without its first invoice, so the subscription is ended too. */
  async function close(request: ChargeRequest, { paymentId, invoiceId, subscriptionId }: Created) {
    if (!invoiceId || !subscriptionId) {
      const { status } = await stripe.paymentIntents.retrieve(paymentId);
      if (status === 'canceled') return;
      await stripe.paymentIntents.cancel(paymentId, {}, stepKey(request, 'cancel'));
      return;
    }
    const { status } = await stripe.invoices.retrieve(invoiceId);
    if (status !== 'void')
      await stripe.invoices.voidInvoice(invoiceId, {}, stepKey(request, 'void'));
    await endNow(stripe, subscriptionId);
  }

  /**
   * A declined or rejected attempt must never be paid later. A payment that succeeded but is rejected
   * stays for an operator to refund, but its subscription must not renew.
   */
  async function cancelIfRefused(
    request: ChargeRequest,
    { intent, made }: Read,
    outcome: GatewayOutcome,
  ) {
    const failed = outcome.kind === 'declined' || outcome.kind === 'rejected';
    if (failed && intent.status !== 'succeeded') await close(request, made);
    else if (failed && made.subscriptionId) await endNow(stripe, made.subscriptionId);
    return outcome;
  }

  const outcomeOf = (request: ChargeRequest, found: Read) =>
    outcomeOfIntent(found, request, planFor(request));

  /** Stripe refused to create an object, but an earlier call may have created it. */
  async function afterRefusal(
    request: ChargeRequest,
    outcome: GatewayOutcome,
  ): Promise<GatewayOutcome> {
    const made = await find(request);
    if (!made) return outcome;
    const found = await read(made);
    const now = outcomeOf(request, found);
    return cancelIfRefused(request, found, now.kind === 'unfinished' ? outcome : now);
  }

  return {
    async customer(account, email) {
      const key = { idempotencyKey: `${account}:customer` };
      const made = await stripe.customers
        .create({ email, metadata: { account } }, key)
        .catch((error) => void outcomeOfError(error));
      // The client returns any answer that is not an error.
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
      const details =
        method && (method as unknown as Record<string, MethodDetails | undefined>)[method.type];
      return (
        details?.fingerprint ?? details?.payer_id ?? details?.payer_email ?? details?.email ?? null
      );
    },

    async charge(request) {
      request.record({ sentAt: Date.now() });
      let method: string;
      let made: Created;
      try {
        method = await attachMethod(request);
        made = await createSubscription(account, request, method);
      } catch (error) {
        return afterRefusal(request, outcomeOfError(error));
      }
      // Outside the try, because an error of this read is not a refusal: the objects exist.
      const found = await read(made);
      const now = outcomeOf(request, found);
      if (now.kind !== 'unfinished') return cancelIfRefused(request, found, now);
      if (Date.now() - request.attempt.openedAt > lastSendMs) return { kind: 'unknown' };
      request.record({ chargedAt: Date.now() });
      const { rounds } = request.attempt;
      try {
        const intent = await stripe.paymentIntents.confirm(
          found.intent.id,
          // Without a return URL, Stripe.js needs `use_stripe_sdk` to show the challenge.
          { payment_method: method, use_stripe_sdk: true, ...confirmation(request.attempt) },
          {
            // A payment that only the server confirms is confirmed again after each challenge.
            ...stepKey(request, rounds > 0 ? `confirm:${rounds}` : 'confirm'),
            ...(signal && onceWithFullTimeout),
          },
        );
        const confirmed = { intent, made };
        return cancelIfRefused(request, confirmed, outcomeOf(request, confirmed));
      } catch (error) {
        const outcome = outcomeOfError(error);
        // An earlier call with the same key may have paid.
        if (outcome.kind === 'rejected') return afterRefusal(request, outcome);
        await close(request, made);
        return outcome;
      }
    },

    async lookUp(request) {
      const made = await find(request);
      return made ? outcomeOf(request, await read(made)) : { kind: 'none' };
    },

    async cancelUnpaid(request) {
      const made = await find(request);
      if (!made) return expired;
      const found = await read(made).catch((error) => {
        if (isRefused(error)) return null;
        throw error;
      });
      if (!found) {
        await close(request, made);
        return expired;
      }
      const outcome = outcomeOf(request, found);
      const unpaid = outcome.kind === 'challenge' || outcome.kind === 'unfinished';
      return cancelIfRefused(request, found, unpaid ? expired : outcome);
    },

    statement: (request) => statement(stripe, request),
    cancel: (request, requestedAt) => cancel(stripe, request, requestedAt),
    quote: (request, plan, at) => quote(account, request, plan, at),
    change: (request) => changePlan(account, request),
    resume: (request, requestedAt) => resume(stripe, request, requestedAt),
    async refund(request, paymentId, amount, { key }) {
      try {
        await refund(stripe, request, paymentId, amount, key);
        return { kind: 'refunded' };
      } catch (error) {
        if (error instanceof RefundRefused) return { kind: 'refused', reason: error.message };
        throw error;
      }
    },
  };
}
