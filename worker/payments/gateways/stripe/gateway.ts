import type { Env } from '../../../platform/env.ts';
import { fieldsIn, textIn } from '../../../platform/read-json.ts';
import type { Gateway } from '../../purchase/gateway.ts';
import { cancel, endReduction, resume } from './cancel-resume.ts';
import { stripeCharges } from './charges.ts';
import type { StripeClient } from './client.ts';
import { stripeConfig, threeDSecureOptions } from './config.ts';
import { outcomeOfError } from './outcome.ts';
import { changePlan, quote } from './plan-change.ts';
import { RefundRefused, refund } from './refund.ts';
import { statement } from './statement.ts';

const stripeCustomers = (stripe: StripeClient): Pick<Gateway, 'customer' | 'forget'> => ({
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
});

/** The fields that identify a payment method, by type: docs.stripe.com/api/payment_methods/object. */
const identifying = ['fingerprint', 'payer_id', 'payer_email', 'email'];

async function fingerprint(stripe: StripeClient, nonce: string): Promise<string | null> {
  const method = await stripe.paymentMethods.retrieve(nonce).catch((error) => {
    outcomeOfError(error);
    return null;
  });
  const details = method && fieldsIn(method)[method.type];
  const [known = null] = identifying.flatMap((name) => textIn(details, name) ?? []);
  return known;
}

export function stripeGateway(env: Env, signal?: AbortSignal): Gateway {
  const config = stripeConfig(env, signal);
  const { stripe } = config;
  const threeDSecure = threeDSecureOptions(env);
  return {
    ...stripeCustomers(stripe),
    ...stripeCharges({ ...config, threeDSecure, hasOthers: signal !== undefined }),
    fingerprint: (nonce) => fingerprint(stripe, nonce),
    statement: (request) => statement(stripe, request),
    cancel: (request, requestedAt) => cancel(stripe, request, requestedAt),
    quote: (request, plan, at) => quote(config, request, plan, at),
    change: (request) => changePlan(config, request),
    resume: (request, requestedAt) => resume(stripe, request, requestedAt),
    endReduction: (request) => endReduction(stripe, request),
    async refund(request, paymentId, amount, { key }) {
      try {
        await refund(stripe, request, { paymentId, amount, key });
        return { kind: 'refunded' };
      } catch (error) {
        if (error instanceof RefundRefused) return { kind: 'refused', reason: error.message };
        throw error;
      }
    },
  };
}
