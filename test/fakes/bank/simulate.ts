import type { BraintreeFake } from '../braintree/server.ts';
import type { StripeFake } from '../stripe/server.ts';

/** `ahead`: how far the clock of both fakes is ahead of ours, in ms. */
export interface Bank {
  stripe: StripeFake;
  braintree: BraintreeFake;
  clock: { ahead: number };
}

/** Longer than any month, and the hour for which Stripe's invoices are drafts. */
const monthMs = 32 * 24 * 3_600_000;
const stripeApi = 'https://api.stripe.com/v1';
const braintreeApi = 'https://api.sandbox.braintreegateway.com/merchants/fake_merchant';
const stripeHeaders = { authorization: 'Bearer sk_test_fake' };
const braintreeHeaders = {
  authorization: `Basic ${btoa('fake_public:fake_private')}`,
  'content-type': 'application/json',
};

async function requireOk(response: Promise<Response>): Promise<void> {
  const { ok, status } = await response;
  if (!ok) throw new Error(`the gateway answered ${status}`);
}

const toStripe = ({ stripe }: Bank, method: string, path: string, fields = {}) =>
  requireOk(
    stripe.fetch(`${stripeApi}/${path}`, {
      method,
      headers: stripeHeaders,
      body: method === 'POST' ? new URLSearchParams(fields) : undefined,
    }),
  );

const toBraintree = ({ braintree }: Bank, method: string, path: string) =>
  requireOk(
    braintree.fetch(`${braintreeApi}/${path}`, { method, headers: braintreeHeaders, body: '{}' }),
  );

/** What can happen to a payment or subscription at a gateway without a call of ours. */
export const actions: Record<string, (bank: Bank, id: string) => Promise<void>> = {
  'stripe refund': (bank, payment_intent) => toStripe(bank, 'POST', 'refunds', { payment_intent }),
  'stripe dispute': (bank, intent) =>
    toStripe(bank, 'POST', `disputes/${bank.stripe.dispute(intent)}/close`),
  'stripe warning': async ({ stripe }, intent) => stripe.warnOfFraud(intent),
  'stripe cancel': (bank, id) => toStripe(bank, 'DELETE', `subscriptions/${id}`),
  'braintree refund': (bank, id) => {
    const settled = bank.braintree.state.transactions[id]?.status === 'SETTLED';
    return settled
      ? toBraintree(bank, 'POST', `transactions/${id}/refund`)
      : toBraintree(bank, 'PUT', `transactions/${id}/void`);
  },
  'braintree dispute': async ({ braintree }, id) => {
    braintree.dispute(id);
    braintree.lose(id);
  },
  'braintree cancel': (bank, id) => toBraintree(bank, 'PUT', `subscriptions/${id}/cancel`),
  month: async ({ stripe, braintree, clock }) => {
    clock.ahead += monthMs;
    stripe.passTime();
    await braintree.passTime();
  },
};
