import { env } from 'cloudflare:test';
import { expect } from 'vitest';
import type { GatewayName } from '../../../../worker/payments/rules/attempt.ts';
import type { openBanks } from '../payments-fixture.ts';

type Banks = ReturnType<typeof openBanks>;

async function call({ fetch }: Banks['stripe'], method: string, path: string, params = {}) {
  const headers = { authorization: `Bearer ${env.STRIPE_SECRET_KEY}` };
  const body = method === 'POST' ? new URLSearchParams(params) : null;
  const answer = await fetch(`https://api.stripe.com/v1/${path}`, { method, headers, body });
  expect(answer.status).toBe(200);
}

async function callBraintree({ braintree }: Banks, method: string, path: string) {
  const url = `https://api.sandbox.braintreegateway.com/merchants/fake_merchant${path}`;
  const headers = {
    authorization: `Basic ${btoa('fake_public:fake_private')}`,
    'content-type': 'application/json',
  };
  const answer = await braintree.fetch(url, { method, headers, body: '{}' });
  expect(answer.ok).toBe(true);
}

/** The holder disputes a payment, and wins; the provider's message is lost. */
export async function dispute(banks: Banks, gateway: GatewayName, payment: string) {
  const { stripe, braintree } = banks;
  if (gateway === 'stripe') {
    return call(stripe, 'POST', `disputes/${stripe.dispute(payment)}/close`);
  }
  braintree.dispute(payment);
  braintree.lose(payment);
}

/** Somebody gives all of a payment back in the provider's own pages. */
export async function refund(banks: Banks, gateway: GatewayName, payment: string) {
  if (gateway === 'stripe') {
    return call(banks.stripe, 'POST', 'refunds', { payment_intent: payment });
  }
  return callBraintree(banks, 'POST', `/transactions/${payment}/refund`);
}

/** The provider ends a subscription by itself, as it does after the last payment that it retried. */
export async function endSubscription(banks: Banks, gateway: GatewayName, id: string) {
  if (gateway === 'stripe') return call(banks.stripe, 'DELETE', `subscriptions/${id}`);
  return callBraintree(banks, 'PUT', `/subscriptions/${id}/cancel`);
}
