import { env, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { advanceAttempt } from '../../../worker/payments/attempts/advance-attempt.ts';
import {
  callGateway,
  logAmbiguousResponse,
} from '../../../worker/payments/attempts/gateway-call.ts';
import type { Attempt } from '../../../worker/payments/purchase/state.ts';
import type { Purchases } from '../../../worker/payments/purchases-object.ts';
import { PurchaseStorage } from '../../../worker/payments/storage/purchase-storage.ts';
import { countSeries } from '../../../worker/platform/log-counts.ts';
import {
  type AccountId,
  type AttemptId,
  minor,
  paymentIdOf,
} from '../../../worker/platform/types.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { attempt, attemptId } from './attempts/attempt-fixture.ts';
import {
  buy,
  buyer,
  runAlarm,
  startPurchase,
  stubGateways,
  stubStripe,
} from './payments-fixture.ts';

const becomes = (stub: ReturnType<typeof buyer>['stub'], id: string, state: string) =>
  vi.waitFor(async () => expect((await stub.result(id))?.state).toBe(state), pollTimeout);

test('purchase: an approved card has one capture of the catalogue amount and a subscription', async () => {
  const fake = stubStripe();
  const { stub, purchase } = buyer();
  const attempt = await buy(stub, purchase);
  expect(attempt).toMatchObject({ state: 'active', charge: { amount: 3999, currency: 'USD' } });
  expect(fake.captures()).toMatchObject([{ amount: 3999, currency: 'usd' }]);
  expect(fake.state.subscriptions[attempt.charge?.subscriptionId ?? '']).toMatchObject({
    status: 'active',
    metadata: {
      attempt_id: attempt.id,
      plan: 'monthly_usd',
      experiment: 'prices',
      arm: 'fullPrice',
    },
  });
  expect(await stub.hasActiveMainPlan()).toBe(true);
});

test('purchase: another account’s payment intent is refused', async () => {
  stubStripe();
  const { stub, purchase } = buyer({ nonce: 'pm_card_authenticationRequired' });
  await buy(stub, purchase);
  const foreign = await stub.buy({ ...purchase, paymentId: paymentIdOf('pi_foreign') });
  expect(foreign).toEqual({ kind: 'refused', refusal: 'payment_intent_mismatch' });
});

test('purchase: a failed challenge is a decline, and the next request a new attempt', async () => {
  const fake = stubStripe();
  const { stub, purchase } = buyer({ nonce: 'pm_card_authenticationRequired' });
  const challenged = await buy(stub, purchase);
  fake.challenge(challenged.paymentId ?? '', 'failed');
  const pollingId = await startPurchase(stub, { ...purchase, nonce: 'pm_card_visa' });
  expect(pollingId).toBe(challenged.pollingId);
  await becomes(stub, pollingId, 'declined');
  expect((await buy(stub, { ...purchase, nonce: 'pm_card_visa' })).state).toBe('active');
  expect(fake.captures()).toHaveLength(1);
});

test('purchase: a buyer outside the experiment has an arm and no experiment', async () => {
  const fake = stubStripe();
  const { stub, purchase } = buyer({ experiment: null });
  const { charge } = await buy(stub, purchase);
  const subscription = fake.state.subscriptions[charge?.subscriptionId ?? ''];
  expect(subscription?.metadata).toMatchObject({ arm: 'fullPrice' });
  expect(subscription?.metadata).not.toHaveProperty('experiment');
});

test('projection: D1 gets the purchase and the ledger, also after it was down', async () => {
  stubStripe();
  const { stub, purchase } = buyer();
  const attempt = await buy(stub, purchase);
  const row = async () =>
    env.DB.prepare(
      `SELECT p.state, p.experiment, p.arm, l.kind, l.amount, l.currency FROM attempts p
       JOIN ledger l ON l.attempt_id = p.id AND l.arm = p.arm
         AND l.experiment = p.experiment WHERE p.id = ?`,
    )
      .bind(attempt.id)
      .first();
  const arm = { experiment: 'prices', arm: 'fullPrice' };
  const expected = { state: 'active', ...arm, kind: 'capture', amount: 3999, currency: 'USD' };
  await vi.waitFor(async () => expect(await row()).toEqual(expected), pollTimeout);
});

test('purchase: a webhook completes a challenge whose payer closed the page', async () => {
  const fake = stubStripe();
  const { stub, purchase } = buyer({ nonce: 'pm_card_authenticationRequired' });
  const challenged = await buy(stub, purchase);
  // Its payer closes the page after the challenge.
  fake.challenge(challenged.paymentId ?? '', 'authenticated');
  expect(await stub.sync()).toBe(true);
  await becomes(stub, challenged.pollingId, 'active');
});

test('purchase: an expired coupon is refused to a new purchase, not to a pending one', async () => {
  const fake = stubStripe();
  const { stub, purchase } = buyer({ nonce: 'pm_card_authenticationRequired' });
  const over = { ...purchase, coupon: { kind: 'refused', refusal: 'coupon_expired' } } as const;
  expect(await stub.buy(over)).toEqual({ kind: 'refused', refusal: 'coupon_expired' });
  const challenged = await buy(stub, {
    ...purchase,
    coupon: { kind: 'discount', code: 'SAVE', discount: minor(1000) },
  });
  fake.challenge(challenged.paymentId ?? '', 'authenticated');
  expect(await startPurchase(stub, { ...over, paymentId: challenged.paymentId })).toBe(
    challenged.pollingId,
  );
  await becomes(stub, challenged.pollingId, 'active');
  expect(fake.captures()).toMatchObject([{ amount: 2999 }]);
});

test('card testing: after five declines in an hour the account’s next card is refused', async () => {
  const fake = stubStripe();
  const { stub, purchase } = buyer({ nonce: 'pm_card_visa_chargeDeclined' });
  for (let tries = 0; tries < 5; tries += 1)
    expect((await buy(stub, purchase)).state).toBe('declined');
  const calls = Object.keys(fake.state.customers).length;
  expect(await stub.buy({ ...purchase, nonce: 'pm_card_visa' })).toEqual({
    kind: 'refused',
    refusal: 'too_many_declines',
  });
  expect([Object.keys(fake.state.customers).length, fake.captures()]).toEqual([calls, []]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * 60_000 });
  expect(await startPurchase(stub, { ...purchase, nonce: 'pm_card_visa' })).not.toBe('');
});

const trace = { user: { google_client_id: '1.2' } };

const traceOf = (stub: ReturnType<typeof buyer>['stub'], attempt: AttemptId) =>
  runInDurableObject(stub, (_, state) =>
    new PurchaseStorage(state.storage.kv).adClickData(attempt),
  );

test('conversion: ad data is deleted when nothing was bought', async () => {
  stubStripe();
  const { stub, purchase } = buyer({ adClickData: trace, nonce: 'pm_card_visa_chargeDeclined' });
  const { id, state } = await buy(stub, purchase);
  expect([state, await traceOf(stub, id)]).toEqual(['declined', undefined]);
});

test('conversion: the consent can change during a challenge', async () => {
  stubStripe();
  const { stub, purchase } = buyer({ adClickData: trace, nonce: 'pm_card_authenticationRequired' });
  const { id } = await buy(stub, purchase);
  expect(await traceOf(stub, id)).toEqual(trace);
  await stub.buy({ ...purchase, adClickData: null });
  expect(await traceOf(stub, id)).toBeUndefined();
});

test('purchase: a success stores the subscription, money, customer, e-mail and conversion in one write', async () => {
  stubStripe();
  await runInDurableObject(env.PURCHASES.getByName(crypto.randomUUID()), async (_, state) => {
    const storage = new PurchaseStorage(state.storage.kv);
    storage.setProfile({ account: 'a' as AccountId, email: 'ada@example.com', customers: {} });
    const id = attemptId();
    storage.save(attempt({ id, pollingId: `poll-${id}`, openedAt: Date.now() }));
    storage.setAdClickData(id, { user: { google_client_id: '1.2' } });
    storage.outbox.delete(storage.outbox.next().map(([key]) => key));
    await advanceAttempt(id, storage, env);
    const charge = storage.attempt(id)?.charge;
    expect(storage.subscriptions()).toMatchObject([{ attempt: id, status: 'active' }]);
    expect(storage.rows()).toMatchObject([{ kind: 'capture', amount: 3999 }]);
    expect(storage.profile?.customers.stripe).toEqual({
      customerId: charge?.customerId,
      methodId: charge?.methodId,
      isDebit: false,
      wallet: null,
    });
    expect(storage.adClickData(id)).toBeUndefined();
    const entries = storage.outbox.next().map(([, entry]) => entry);
    const written = entries.slice(entries.findIndex(({ kind }) => kind === 'subscription'));
    expect(written.map(({ kind }) => kind)).toEqual([
      'subscription',
      'movement',
      'email',
      'conversion',
    ]);
    expect(written.at(-1)).toMatchObject({
      conversion: {
        event: id,
        plan: 'monthly_usd',
        price: 39.99,
        currency: 'USD',
        subscription: charge?.subscriptionId,
        at: expect.any(Number),
        user: { google_client_id: '1.2' },
      },
    });
  });
});

type Step = Parameters<typeof callGateway>[0];

const sentAttempt = attempt({
  id: 'a',
  nonce: 'pm_card_visa',
  state: 'sent',
  openedAt: Date.now(),
});

/** Runs steps of an account's attempt. @returns the outcomes, and the account's stored data */
function runSteps(account: AccountId, steps: readonly Step[], change: Partial<Attempt> = {}) {
  return runInDurableObject(buyer().stub, async (_, state) => {
    const storage = new PurchaseStorage(state.storage.kv as never);
    storage.setProfile({ account, email: 'ann@example.com', customers: {} });
    const kinds = [];
    for (const step of steps)
      kinds.push((await callGateway(step, { ...sentAttempt, ...change }, storage, env)).kind);
    return { kinds, known: storage.profile?.customers };
  });
}

test('gateway call: the customer is stored from the first charge on', async () => {
  const { stripe } = stubGateways();
  const { kinds, known } = await runSteps('account-1' as AccountId, ['charge', 'lookUp']);
  expect(kinds).toEqual(['active', 'active']);
  const [customerId] = Object.keys(stripe.state.customers);
  expect(known).toEqual({ stripe: { customerId, methodId: null } });
});

test('gateway call: a failure before anything was charged is logged, and charged nothing', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 401 }));
  expect((await runSteps('account-2' as AccountId, ['charge'])).kinds).toEqual(['unavailable']);
  expect(String(warn.mock.calls[0]?.[0])).toContain('gateway_ambiguous');
});

test('gateway call: without a customer nothing was charged and nothing is called', async () => {
  const line = vi.fn();
  vi.stubGlobal('fetch', line);
  expect((await runSteps('account-3' as AccountId, ['lookUp', 'cancelUnpaid'])).kinds).toEqual([
    'none',
    'rejected',
  ]);
  expect(line).not.toHaveBeenCalled();
});

test('gateway call: a refused customer is rejected', async () => {
  const error = { type: 'invalid_request_error', code: 'email_invalid', message: 'no' };
  vi.stubGlobal('fetch', async () => Response.json({ error }, { status: 400 }));
  const { kinds, known } = await runSteps('account-4' as AccountId, ['charge']);
  expect([kinds, known]).toEqual([['rejected'], {}]);
});

test('gateway call: a decline found by a look-up is cancelled before it is final', async () => {
  const { stripe } = stubGateways({
    wrap: (next) => async (input, init) => {
      const response = await next(input, init);
      const { url } = new Request(input, init);
      // Not a lost connection, which the client would retry by itself, with pauses.
      return url.endsWith('/confirm') ? new Response('', { status: 401 }) : response;
    },
  });
  const nonce = 'pm_card_chargeCustomerFail';
  const { kinds } = await runSteps('account-5' as AccountId, ['charge', 'lookUp'], { nonce });
  expect(kinds).toEqual(['unknown', 'declined']);
  const intents = Object.values(stripe.state.payment_intents);
  expect(intents.map(({ status }) => status)).toEqual(['canceled']);
});

test('gateway call: the log has the kind of an error without its message', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  logAmbiguousResponse(Object.assign(new Error('pm_secret'), { code: 'timeout' }), {
    attempt: attemptId('a'),
  });
  logAmbiguousResponse('pm_secret');
  const lines = warn.mock.calls.map(([line]) => JSON.parse(line));
  expect(lines).toMatchObject([
    { event: 'gateway_ambiguous', attempt: 'a', reason: 'Error', code: 'timeout' },
    { event: 'gateway_ambiguous' },
  ]);
  expect(JSON.stringify(lines)).not.toContain('pm_secret');
});

test('purchase: a request that arrives while an alarm ends is processed', async () => {
  stubStripe();
  const { stub, purchase } = buyer();
  await buy(stub, purchase);
  await runAlarm(stub);
  const id = await runInDurableObject(stub, async (object: Purchases) => {
    const bought: string[] = [];
    const count = async () => {
      const opened = await object.buy({ ...purchase, nonce: null, plan: 'guide_1799_usd' });
      if (opened.kind === 'accepted') bought.push(opened.pollingId);
    };
    const MONITOR = { getByName: () => ({ count }) };
    Object.defineProperty(object, 'env', { value: { ...env, MONITOR }, configurable: true });
    countSeries('any');
    await object.alarm();
    Object.defineProperty(object, 'env', { value: env, configurable: true });
    return bought[0] ?? '';
  });
  await becomes(stub, id, 'active');
});
