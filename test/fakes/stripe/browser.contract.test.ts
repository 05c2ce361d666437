import type { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { encode } from './browser/messages.ts';
import { harness, subscribe } from './harness.ts';

/** A browser's call: publishable key in the form, no SDK. */
async function browser() {
  const on = await harness();
  const call = async (path: string, params: object) => {
    const body = new URLSearchParams([...encode(params), ['key', 'pk_test_page']]);
    const response = await on.fake.fetch(`https://api.stripe.com/v1${path}`, {
      method: 'POST',
      body,
    });
    return { status: response.status, body: await response.json() };
  };
  const card = (number: string, more: object = {}) =>
    call('/payment_methods', {
      type: 'card',
      card: { number, exp_month: 12, exp_year: 34, cvc: '123', ...more },
    });
  return { ...on, call, card };
}

describe('Stripe fake: with a publishable key', () => {
  test.each([
    ['4242424242424242', 'visa'],
    ['5555555555554444', 'mastercard'],
    ['378282246310005', 'amex'],
  ])('%s becomes a payment method', async (number, brand) => {
    const { card, fake } = await browser();
    const { body } = await card(number);
    expect(body.card).toMatchObject({ brand, last4: number.slice(-4), exp_year: 2034 });
    expect(JSON.stringify(fake.state)).not.toContain(number);
  });

  test.each([
    ['4242424242424241', {}, 'incorrect_number'],
    ['4111111111111111', {}, 'card_declined'],
    ['4242424242424242', { exp_month: 13 }, 'invalid_expiry_month'],
    ['4242424242424242', { exp_year: 20 }, 'invalid_expiry_year'],
    ['4242424242424242', { cvc: '12' }, 'invalid_cvc'],
  ])('%s with %o is refused: %s', async (number, more, code) => {
    const { card } = await browser();
    const { status, body } = await card(number, more);
    expect(status).toBe(402);
    expect(body.error).toMatchObject({ type: 'card_error', code });
  });

  test('a number sent with the secret key is refused', async () => {
    const { stripe } = await browser();
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2034 };
    await expect(stripe.paymentMethods.create({ type: 'card', card })).rejects.toMatchObject({
      statusCode: 402,
      rawType: 'invalid_request_error',
    });
  });

  test('the challenge is answered with the client secret, which shows a part of the intent', async () => {
    const on = await browser();
    const { subscription, invoice, intent } = await subscribe(on, on.customer);
    const { body: method } = await on.card('4000000000003220');
    await on.stripe.paymentIntents.confirm(intent, { payment_method: method.id });
    const read = async (client_secret = '') => {
      const query = new URLSearchParams({ client_secret, key: 'pk_test_page' });
      return on.fake.fetch(`https://api.stripe.com/v1/payment_intents/${intent}?${query}`);
    };
    expect((await read(`${intent}_secret_x`)).status).toBe(400);
    const client_secret = invoice.confirmation_secret?.client_secret;
    const challenged = await (await read(client_secret)).json();
    expect([challenged.status, challenged.customer]).toEqual(['requires_action', undefined]);
    const barred = await on.call(`/payment_intents/${intent}/cancel`, { client_secret });
    expect(barred.status).toBe(401);
    await on.call(`/__challenge/${intent}`, { client_secret, outcome: 'authenticated' });
    const now: Stripe.Subscription = await on.stripe.subscriptions.retrieve(subscription.id);
    expect(now.status).toBe('active');
  });
});
