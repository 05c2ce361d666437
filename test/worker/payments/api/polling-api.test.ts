import { env, listDurableObjectIds, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { approved } from '../../../fakes/test-nonces.ts';
import { pollTimeout } from '../../../poll-timeout.ts';
import { shortenTimers } from '../../faults/faulty-binding.ts';
import { refusalOf } from '../../request.ts';
import { scaled, stubGateways, stubStripe } from '../payments-fixture.ts';
import { card, poll, pollingId, pollUntilDone, signedInHeaders } from '../purchase-helpers.ts';

const stripeId = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_\\w+$`));
const uuid = expect.stringMatching(/^[\da-f-]{36}$/);
const hex = (length: number) => 'a'.repeat(length);

interface Body {
  data: { result_data: Record<string, string | null> | null };
}
const resultOf = async (response: Response) => ((await response.json()) as Body).data.result_data;

test('polling: responds with 202 until the result is known, then with everything that the browser reads', async () => {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  stubStripe({
    wrap:
      (next) =>
      async (...call) => {
        await arrived;
        return next(...call);
      },
  });
  const id = await pollingId('monthly_usd', card(), await signedInHeaders());
  const early = await poll(id);
  expect([early.status, await early.json()]).toEqual([202, { data: { result_data: null } }]);
  expect(early.headers.get('cache-control')).toBe('no-store');
  arrive();
  const response = await pollUntilDone(id);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('content-type')).toContain('application/json');
  expect(await response.json()).toEqual({
    data: {
      result_data: {
        status: 'active',
        data: null,
        subscription_id: stripeId('sub'),
        event_id: uuid,
        price_with_discount: '39.99',
        customer_id: stripeId('cus'),
        payment_intent_id: stripeId('pi'),
        payment_intent_secret: null,
      },
    },
  });
});

test('polling: an intro’s price is today’s charge', async () => {
  stubStripe();
  const id = await pollingId('monthly_7d_eur', card(), await signedInHeaders());
  expect(await resultOf(await pollUntilDone(id))).toMatchObject({ price_with_discount: '6.99' });
});

test('polling: a single payment has no subscription', async () => {
  stubStripe();
  const headers = await signedInHeaders();
  await pollUntilDone(await pollingId('monthly_usd', card(), headers));
  const id = await pollingId('guide_1799_usd', { gateway: 'stripe' }, headers);
  expect(await resultOf(await pollUntilDone(id))).toMatchObject({
    status: 'active',
    subscription_id: null,
    price_with_discount: '17.99',
  });
});

test('polling: a decline is 200 with the bank’s text', async () => {
  stubStripe();
  const insufficient = card('pm_card_visa_chargeDeclinedInsufficientFunds');
  const response = await pollUntilDone(
    await pollingId('monthly_usd', insufficient, await signedInHeaders()),
  );
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual({
    errors: { code: 'card_declined', messages: ['Payment declined'] },
    decline_code: 'insufficient_funds',
    processor_response: 'Your card has insufficient funds.',
  });
});

test('polling: a failure without a bank’s answer has no decline code', async () => {
  stubStripe();
  const id = await pollingId('monthly_usd', card('pm_nobody'), await signedInHeaders());
  expect(await (await pollUntilDone(id)).json()).toEqual({
    errors: { code: 'payment_failed', messages: ['Payment error'] },
  });
});

test('polling: for a payment rerouted to another gateway it names the gateway, and continues with a card entered there', async () => {
  stubGateways({
    wrap: (next) => async (input, init) => {
      const request = new Request(input, init);
      if (request.url.includes('stripe.com')) throw new TypeError('network connection lost');
      return next(request);
    },
  });
  shortenTimers(1000);
  const headers = await signedInHeaders();
  const id = await pollingId('monthly_usd', card(), headers);
  expect(await (await pollUntilDone(id)).json()).toEqual({
    errors: { code: 'gateway_changed', messages: [expect.stringMatching(/Nothing was charged/)] },
    payment_gateway: 'braintree',
  });
  const again = card(approved.braintree, { gateway: 'braintree' });
  expect(await pollingId('monthly_usd', again, headers)).toBe(id);
  expect(await resultOf(await pollUntilDone(id))).toMatchObject({
    status: 'active',
    price_with_discount: '39.99',
  });
});

test('polling: the secret is returned only during a challenge', async () => {
  const fake = stubStripe();
  const headers = await signedInHeaders();
  const id = await pollingId('monthly_usd', card('pm_card_authenticationRequired'), headers);
  const response = await pollUntilDone(id);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const challenge = await resultOf(response);
  expect(challenge).toEqual({
    status: 'requires_action',
    data: null,
    subscription_id: null,
    event_id: uuid,
    price_with_discount: '39.99',
    customer_id: null,
    payment_intent_id: stripeId('pi'),
    payment_intent_secret: expect.stringContaining(`${challenge?.payment_intent_id}_secret_`),
  });
  fake.challenge(challenge?.payment_intent_id ?? '', 'authenticated');
  const back = card('pm_card_authenticationRequired', {
    payment_intent_id: challenge?.payment_intent_id,
  });
  expect(await pollingId('monthly_usd', back, headers)).toBe(id);
  const done = await vi.waitFor(async () => {
    const result = await resultOf(await pollUntilDone(id));
    expect(result?.status).toBe('active');
    return result;
  }, pollTimeout);
  expect(done).toMatchObject({ event_id: challenge?.event_id, payment_intent_secret: null });
});

test.each([
  ['nothing', 'x'],
  ['an id without its secret', hex(64)],
  ['a secret that is too short', `${hex(64)}.${hex(31)}`],
  ['signs that are no hex digits', `${hex(64)}.${'g'.repeat(32)}`],
  ['an object of another namespace', `${hex(64)}.${hex(32)}`],
  ['a prototype', '__proto__'],
  ['2000 digits', `${hex(2000)}.${hex(32)}`],
])('polling: a guessed id, %s, is 404', async (_, id) => {
  const [status, code] = await refusalOf(await poll(id));
  expect([status, code]).toEqual([404, 'poll_unknown']);
});

test('polling: a guess for an existing account is 404 and stores nothing', async () => {
  const stub = env.PURCHASES.getByName('nobody');
  expect((await poll(`${stub.id}.${hex(32)}`)).status).toBe(404);
  const left = await runInDurableObject(stub, async (_object, state) => [
    (await state.storage.list()).size,
    await state.storage.getAlarm(),
  ]);
  expect(left).toEqual([0, null]);
});

test('polling: a thousand guesses get the same answer and create no object', async () => {
  stubStripe();
  const id = await pollingId('monthly_usd', card(), await signedInHeaders());
  await pollUntilDone(id);
  const random = (bytes: number) =>
    [...crypto.getRandomValues(new Uint8Array(bytes))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('');
  const objects = async () => (await listDurableObjectIds(env.PURCHASES)).length;
  const before = await objects();
  const guesses = Array.from({ length: scaled(1000) }, (_, index) =>
    index % 2 ? `${random(32)}.${random(16)}` : `${id.slice(0, 65)}${random(16)}`,
  );
  const answers = await Promise.all(
    guesses.map(async (guess) => {
      const response = await poll(guess);
      return `${response.status} ${await response.text()}`;
    }),
  );
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toMatch(/^404 .*poll_unknown/);
  expect(await objects()).toBe(before);
});

test.each(['pm_card_visa', 'pm_card_visa_chargeDeclined', 'pm_card_authenticationRequired'])(
  'polling: the result of %s has no payer and no secret of ours',
  async (nonce) => {
    stubStripe();
    const email = `${crypto.randomUUID()}@example.com`;
    const headers = await signedInHeaders(email);
    const text = await (
      await pollUntilDone(await pollingId('monthly_usd', card(nonce), headers))
    ).text();
    const [, claims = ''] = headers.authorization.split('.');
    const { sub } = JSON.parse(atob(claims));
    const secrets = [email, nonce, sub, 'sk_test', 'whsec', 'Bearer', headers.authorization];
    for (const secret of secrets) expect(text).not.toContain(secret);
  },
);
