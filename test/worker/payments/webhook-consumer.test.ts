import { env } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pollTimeout } from '../../poll-timeout.ts';
import { buy, buyer, listen, openBank } from './payments-fixture.ts';
import { anEvent, deliver, down } from './webhook-fixture.ts';

let said = () => [] as string[];

beforeEach(() => {
  said = listen();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A buyer whose gateway took a renewal that we have not heard of. */
async function renewed() {
  const line = { silent: false, statements: 0 };
  openBank(
    undefined,
    (next) => async (input, init) => {
      const { url } = new Request(input);
      if (url.includes('/v1/invoices?')) line.statements += 1;
      if (!line.silent) return next(input, init);
      return Response.json({ error: { type: 'authentication_error' } }, { status: 401 });
    },
    { now: () => Date.now() },
  );
  const { stub, purchase } = buyer();
  const { id: attempt, charge } = await buy(stub, purchase);
  const projected = () =>
    env.DB.prepare(
      'SELECT l.id FROM ledger l JOIN subscriptions s USING (attempt_id) WHERE attempt_id = ?',
    )
      .bind(attempt)
      .first();
  await vi.waitFor(async () => expect(await projected()).not.toBeNull(), pollTimeout);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 33 * 86_400_000 });
  const rows = async () => (await stub.ownedSubscriptions())[0]?.rows.length;
  expect(await rows()).toBe(1);
  const { account } = purchase;
  return { names: { account, attempt, ...charge }, rows, line };
}

test.each(['account', 'attempt', 'subscriptionId', 'customerId', 'paymentId'] as const)(
  'webhook consumer: an event with its %s syncs the account',
  async (name) => {
    const { names, rows } = await renewed();
    const event = anEvent({ [name]: names[name] });
    expect((await deliver('funnel-webhooks', [event])).again).toEqual([]);
    expect(await rows()).toBe(2);
  },
);

test('webhook consumer: ids of one gateway are not searched at the other', async () => {
  const { names, rows } = await renewed();
  const event = anEvent({ gateway: 'braintree', customerId: names.customerId ?? '' });
  expect((await deliver('funnel-webhooks', [event])).again).toEqual(['m0']);
  expect(await rows()).toBe(1);
});

test('webhook consumer: a batch syncs an account once', async () => {
  const { names, line } = await renewed();
  const { account } = names;
  const events = Array.from({ length: 12 }, () => anEvent({ account }));
  await deliver('funnel-webhooks', events);
  expect(line.statements).toBe(1);
});

test('webhook consumer: an event of an unknown account is dropped after three deliveries', async () => {
  const foreign = anEvent({ customerId: 'cus_of_a_shop' });
  expect(await deliver('funnel-webhooks', [foreign], 1)).toEqual({ again: ['m0'], delay: 30 });
  expect(await deliver('funnel-webhooks', [foreign], 2)).toEqual({ again: ['m0'], delay: 60 });
  expect(said()).toEqual([]);
  expect((await deliver('funnel-webhooks', [foreign], 3)).again).toEqual([]);
  expect(said()).toEqual(['webhook_unknown_account']);
});

test('webhook consumer: events are retried while their gateway does not answer', async () => {
  const { names, rows, line } = await renewed();
  line.silent = true;
  const { account } = names;
  const events = [anEvent({ account }), anEvent({ account: crypto.randomUUID() })];
  expect((await deliver('funnel-webhooks', events, 9)).again).toEqual(['m0']);
  expect(said()).toContain('sync_failed');
  line.silent = false;
  expect((await deliver('funnel-webhooks', events, 10)).again).toEqual([]);
  expect(await rows()).toBe(2);
});

test('webhook consumer: without D1 only events with our account id are consumed', async () => {
  const { names, rows } = await renewed();
  const { account, attempt } = names;
  const events = [anEvent({ account }), anEvent({ attempt })];
  const { again } = await deliver('funnel-webhooks', events, 9, { DB: down });
  expect(again).toEqual(['m1']);
  expect(await rows()).toBe(2);
});

test('webhook consumer: a malformed message is dropped and logged', async () => {
  const broken = [null, 'evt', { ...anEvent(), gateway: 'paypal' }, { id: 'evt' }];
  expect((await deliver('funnel-webhooks', broken)).again).toEqual([]);
  expect(said()).toEqual(broken.map(() => 'webhook_malformed'));
});
