import { afterAll, beforeAll, expect, test } from 'vitest';
import { developmentVars } from '../../scripts/development-vars.ts';
import { pollTimeout } from '../poll-timeout.ts';
import { startServer, type TestServer } from './test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ vars: {}, country: 'US' });
  const secret = developmentVars.STRIPE_WEBHOOK_SECRET;
  server.fakes.deliverTo({ origin: server.url, secret });
});
afterAll(() => server.close());

async function call(path: string, body?: object, bearer = '') {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${bearer}` };
  const init = body && { method: 'POST', body: JSON.stringify(body) };
  return (await fetch(`${server.url}/api/v1${path}`, { ...init, headers })).json();
}

/** An account with the monthly plan, and a function that reads its purchases. */
async function buyer(gateway: string, payment_method_nonce: string) {
  const email = `${crypto.randomUUID()}@example.com`;
  const { data } = await call('/signup', {
    email,
    user_uuid: crypto.randomUUID(),
    landing_type: 'split_fullPrice',
  });
  const token: string = data.access_token;
  const order = { gateway, payment_method_nonce };
  const bought = await call('/users/me/subscriptions/monthly_usd', order, token);
  expect(bought).toMatchObject({ data: { status: 'active' } });
  return {
    paid: () => server.ledgerCaptures(email),
    kinds: () => server.ledgerKinds(email),
    held: async () => (await call('/users/me/purchases', undefined, token)).data.subscriptions[0],
    payment: bought.data.payment_intent_id as string,
    subscription: bought.data.subscription_id as string,
  };
}

async function press(action: string, id = '') {
  const body = new URLSearchParams({ action, id });
  const response = await fetch(`${server.url}/fakes/bank/`, {
    method: 'POST',
    body,
    redirect: 'manual',
  });
  expect(response.status).toBe(303);
}

test.each([
  ['stripe', 'pm_card_visa'],
  ['braintree', 'fake-valid-nonce'],
])(
  'fake bank: the funnel receives refunds, disputes and renewals at %s',
  async (gateway, nonce) => {
    const { paid, kinds, held, payment, subscription } = await buyer(gateway, nonce);
    const page = await (await fetch(`${server.url}/fakes/bank/`)).text();
    expect(page).toContain(`value="${payment}"`);
    expect(page).toContain(`value="${subscription}"`);
    await expect.poll(paid, pollTimeout).toHaveLength(1);
    await press('month');
    await expect.poll(paid, pollTimeout).toHaveLength(2);
    await press(`${gateway} dispute`, payment);
    await expect.poll(kinds, pollTimeout).toEqual(['capture', 'capture', 'dispute']);
    // Braintree sends no refund webhook.
    if (gateway === 'stripe') {
      const renewal = server.fakes.stripe.captures().at(-1)?.payment_intent;
      await press('stripe refund', renewal);
      await expect.poll(kinds, pollTimeout).toEqual(['capture', 'capture', 'dispute', 'refund']);
    }
    // After a lost dispute the funnel cancels at Braintree, which ends a subscription at once and only once.
    if (gateway === 'stripe') await press('stripe cancel', subscription);
    await expect.poll(async () => (await held()).state, pollTimeout).not.toBe('active');
  },
);
