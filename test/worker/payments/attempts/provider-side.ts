import { env } from 'cloudflare:test';
import { expect } from 'vitest';
import type { Purchase } from '../../../../worker/payments/attempts/purchase-request.ts';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import type { AttemptAnswer } from '../../../../worker/payments/storage/stored-records.ts';
import { nonceOfCard } from '../gateways/braintree/braintree-fixture.ts';
import type { stubGateways } from '../payments-fixture.ts';

type Fakes = ReturnType<typeof stubGateways>;

async function call({ fetch }: Fakes['stripe'], method: string, path: string, params = {}) {
  const headers = { authorization: `Bearer ${env.STRIPE_SECRET_KEY}` };
  const body = method === 'POST' ? new URLSearchParams(params) : null;
  const response = await fetch(`https://api.stripe.com/v1/${path}`, { method, headers, body });
  expect(response.status).toBe(200);
}

async function callBraintree({ braintree }: Fakes, method: string, path: string) {
  const url = `https://api.sandbox.braintreegateway.com/merchants/fake_merchant${path}`;
  const headers = {
    authorization: `Basic ${btoa('fake_public:fake_private')}`,
    'content-type': 'application/json',
  };
  expect((await braintree.fetch(url, { method, headers, body: '{}' })).ok).toBe(true);
}

/** The cardholder disputes a payment and wins; the provider's webhook is lost. */
export async function dispute(fakes: Fakes, gateway: GatewayName, payment: string) {
  const { stripe, braintree } = fakes;
  if (gateway === 'stripe') {
    return call(stripe, 'POST', `disputes/${stripe.dispute(payment)}/close`);
  }
  braintree.dispute(payment);
  braintree.lose(payment);
}

/** A full refund made in the provider's dashboard. */
export async function refund(fakes: Fakes, gateway: GatewayName, payment: string) {
  if (gateway === 'stripe') {
    return call(fakes.stripe, 'POST', 'refunds', { payment_intent: payment });
  }
  return callBraintree(fakes, 'POST', `/transactions/${payment}/refund`);
}

/** The provider ends a subscription by itself, as after its last retry. */
export async function endSubscription(fakes: Fakes, gateway: GatewayName, id: string) {
  if (gateway === 'stripe') return call(fakes.stripe, 'DELETE', `subscriptions/${id}`);
  return callBraintree(fakes, 'PUT', `/subscriptions/${id}/cancel`);
}

/** The request of a returning payer: changes of the first request. */
type ReturnFields = Partial<Purchase>;

/** A payer whom the bank challenges. */
export interface Payer {
  /** The card that is challenged. */
  nonce(fakes: Fakes): Promise<string>;
  /**
   * Responds to an attempt's challenge, if it is still pending.
   * @param amount minor units stated by the browser; the attempt's own by default
   */
  answer(
    fakes: Fakes,
    attempt: AttemptAnswer,
    how: 'authenticated' | 'failed',
    amount?: number,
  ): Promise<ReturnFields>;
}

async function answerStripe(
  { stripe }: Fakes,
  { paymentId }: AttemptAnswer,
  how: 'authenticated' | 'failed',
) {
  const { payment_intents: payments, setup_intents: setups } = stripe.state;
  const intent = payments[paymentId ?? ''] ?? setups[paymentId ?? ''];
  if (intent?.status === 'requires_action') stripe.challenge(intent.id, how);
  return { paymentId };
}

/** Verifies a nonce like braintree-web: it is looked up, challenged, and replaced by a new one. */
async function verify(
  { braintree }: Fakes,
  nonce: string,
  how: 'authenticated' | 'failed',
  amount: number,
) {
  const api = `https://api.sandbox.braintreegateway.com/merchants/fake_merchant/client_api/v1/payment_methods/${nonce}/three_d_secure`;
  const post = async (step: string, body: object) => {
    const sent = { method: 'POST', body: JSON.stringify(body) };
    const response = await braintree.fetch(`${api}/${step}`, sent);
    return (await response.json()) as {
      lookup?: { md: string };
      paymentMethod?: { nonce: string };
    };
  };
  const jwt = (await post('lookup', { amount: amount / 100 })).lookup?.md ?? '';
  const open = braintree.state.lookups[jwt];
  if (!open) return undefined;
  open.outcome = how;
  return (await post('authenticate_from_jwt', { jwt })).paymentMethod?.nonce;
}

/** A Braintree card that is challenged. */
export const challengedCard = '4000000000001091';

export const payers: Record<GatewayName, Payer> = {
  stripe: {
    nonce: async () => 'pm_card_authenticationRequired',
    answer: answerStripe,
  },
  braintree: {
    nonce: ({ braintree }) => nonceOfCard(braintree, challengedCard),
    async answer(fakes, { secret, amount }, how, statedAmount = amount) {
      const [nonce = ''] = (secret ?? '').split('#');
      const verified = await verify(fakes, nonce, how, statedAmount);
      return verified === undefined ? {} : { nonce: verified };
    },
  },
};
