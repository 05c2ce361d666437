import { env } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  claimEvents,
  markQueued,
  releaseEvents,
} from '../../../../worker/payments/webhooks/webhook-table.ts';
import { pollTimeout } from '../../../poll-timeout.ts';
import { deliverToQueue, recordingQueue } from '../../queue.ts';
import { refusalOf, request, statusAndCode } from '../../request.ts';
import { buy, buyer, captureLogEvents, stubStripe } from '../payments-fixture.ts';
import {
  bodyOf,
  failingBinding,
  gatewayEvent,
  postStripe,
  signed,
  storedEvent,
} from './webhook-fixture.ts';

const invoice = { object: 'invoice', customer: 'cus_1', metadata: { account: 'account' } };

test('webhook: a signed event is queued with its ids and nothing else', async () => {
  const { sent, queue } = recordingQueue();
  const body = bodyOf({ ...invoice, customer_email: 'ann@example.com' }, 'evt_a');
  const response = await postStripe(body, await signed(body), { WEBHOOK_QUEUE: queue });
  expect([response.status, response.headers.get('set-cookie')]).toEqual([200, null]);
  expect(sent).toEqual([
    {
      gateway: 'stripe',
      id: 'evt_a',
      type: 'invoice.paid',
      account: 'account',
      attempt: null,
      customerId: 'cus_1',
      subscriptionId: null,
      paymentId: null,
      invoiceId: null,
      createdAt: 1_800_000_000_000,
    },
  ]);
  expect(await storedEvent('evt_a')).toEqual({ type: 'invoice.paid', queued: 1 });
});

test('webhook: a repeated event is answered 200 and queued once', async () => {
  const { sent, queue } = recordingQueue();
  const body = bodyOf(invoice);
  const post = async () => postStripe(body, await signed(body), { WEBHOOK_QUEUE: queue });
  const answers = await Promise.all(Array.from({ length: 10 }, post));
  answers.push(await post());
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(sent).toHaveLength(1);
});

test('webhook: an unhandled event is acknowledged and dropped', async () => {
  const { sent, queue } = recordingQueue();
  const body = JSON.stringify({ ...JSON.parse(bodyOf(invoice, 'evt_u')), type: 'invoice.created' });
  const response = await postStripe(body, await signed(body), { WEBHOOK_QUEUE: queue });
  expect([response.status, sent, await storedEvent('evt_u')]).toEqual([200, [], null]);
});

test.each([
  ['radar.early_fraud_warning.created', 'error', 'fraud_warning_received'],
  ['invoice.payment_action_required', 'warn', 'payment_action_required'],
] as const)('webhook: %s is logged once for operators and queued', async (type, level, event) => {
  const logged = vi.spyOn(console, level);
  const { sent, queue } = recordingQueue();
  const object = { object: 'radar.early_fraud_warning', payment_intent: 'pi_1' };
  const body = JSON.stringify({ ...JSON.parse(bodyOf(object)), type });
  for (const _ of [1, 2]) await postStripe(body, await signed(body), { WEBHOOK_QUEUE: queue });
  expect(sent).toMatchObject([{ type, paymentId: 'pi_1' }]);
  const lines = logged.mock.calls.map(([line]) => JSON.parse(String(line)));
  expect(lines.filter((line) => line.event === event)).toMatchObject([
    { vendor: 'stripe', type, payment: 'pi_1' },
  ]);
});

test('webhook: an old signature is refused', async () => {
  const body = bodyOf(invoice);
  const signature = await signed(body);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 400_000 });
  const response = await postStripe(body, signature);
  expect(await refusalOf(response)).toEqual([
    400,
    'webhook_refused',
    'This message isn’t signed correctly.',
  ]);
});

test('webhook: without D1 an event is queued all the same', async () => {
  const { sent, queue } = recordingQueue();
  const body = bodyOf(invoice);
  const response = await postStripe(body, await signed(body), {
    WEBHOOK_QUEUE: queue,
    DB: failingBinding,
  });
  expect([response.status, sent.length]).toEqual([200, 1]);
});

test('webhook: without the queue the answer is 500, and the next delivery is queued', async () => {
  const body = bodyOf(invoice, 'evt_down');
  const refused = await postStripe(body, await signed(body), { WEBHOOK_QUEUE: failingBinding });
  expect(await statusAndCode(refused)).toEqual([500, 'webhook_not_queued']);
  expect(await storedEvent('evt_down')).toBeNull();
  const { sent, queue } = recordingQueue();
  const response = await postStripe(body, await signed(body), { WEBHOOK_QUEUE: queue });
  expect([response.status, sent.length]).toEqual([200, 1]);
});

test('webhook: an event that was claimed and never queued is claimed again', async () => {
  const at = Date.now() - 60_000;
  await env.DB.prepare(
    `INSERT INTO webhook_events (id, type, claimed_at) VALUES ('stripe:evt_half', '', ?)`,
  )
    .bind(at)
    .run();
  const { sent, queue } = recordingQueue();
  const body = bodyOf(invoice, 'evt_half');
  await postStripe(body, await signed(body), { WEBHOOK_QUEUE: queue });
  expect(sent).toHaveLength(1);
});

test('webhook: is refused without a secret, for an unknown gateway, or if too large', async () => {
  const { sent, queue } = recordingQueue();
  const body = bodyOf(invoice);
  const bare = { WEBHOOK_QUEUE: queue, STRIPE_WEBHOOK_SECRET: undefined };
  expect((await postStripe(body, await signed(body), bare)).status).toBe(400);
  for (const path of ['/webhooks/paypal', '/webhooks/constructor']) {
    const response = await request(path, { method: 'POST', body }, { WEBHOOK_QUEUE: queue });
    expect(response.status).toBe(404);
  }
  const large = bodyOf({ ...invoice, filler: 'x'.repeat(256 * 1024) });
  expect((await postStripe(large, await signed(large), { WEBHOOK_QUEUE: queue })).status).toBe(413);
  expect(sent).toEqual([]);
});

test.for<[string, (bytes: Uint8Array, signature: string) => [Uint8Array, string | null]]>([
  [
    'a byte order mark',
    (bytes, signature) => [Uint8Array.of(0xef, 0xbb, 0xbf, ...bytes), signature],
  ],
  ['bytes that are not UTF-8', (bytes, signature) => [bytes.with(9, 0xff), signature]],
  ['no signature', (bytes) => [bytes, null]],
])('webhook: a body with %s is refused and not stored', async ([, change]) => {
  const { sent, queue } = recordingQueue();
  const body = bodyOf(invoice, 'evt_mutated');
  const signature = await signed(body);
  const changed = change(new TextEncoder().encode(body), signature);
  expect((await postStripe(...changed, { WEBHOOK_QUEUE: queue })).status).toBe(400);
  expect([sent, await storedEvent('evt_mutated')]).toEqual([[], null]);
});

const event = (id: string, gateway = 'stripe') => ({ gateway, id, type: 'invoice.paid' });

const take = async (id: string, now: number) =>
  (await claimEvents(env.DB, [event(id)], now)).length === 1;

test('webhook table: one of many concurrent claims succeeds', async () => {
  const claims = await Promise.all(Array.from({ length: 20 }, () => take('once', 1000)));
  expect(claims.filter(Boolean)).toHaveLength(1);
});

test('webhook table: a queued event is never claimed again', async () => {
  await take('queued', 1000);
  await markQueued(env.DB, [event('queued')], 1001);
  expect(await take('queued', 1_000_000)).toBe(false);
  await releaseEvents(env.DB, [event('queued')]);
  expect(await take('queued', 1_000_000)).toBe(false);
});

test('webhook table: an unqueued claim expires after ten seconds', async () => {
  await take('begun', 1000);
  expect([await take('begun', 10_999), await take('begun', 11_000)]).toEqual([false, true]);
  expect(await take('begun', 11_001)).toBe(false);
});

test('webhook table: a released event is new', async () => {
  await take('back', 1000);
  await releaseEvents(env.DB, [event('back')]);
  expect(await take('back', 1001)).toBe(true);
});

test('webhook table: two gateways may have the same id', async () => {
  await take('same', 1000);
  expect(await claimEvents(env.DB, [event('same', 'braintree')], 1000)).toHaveLength(1);
});

test('webhook table: ids are deleted after 30 days', async () => {
  await take('old', 1000);
  await markQueued(env.DB, [event('old')], 1000);
  const days = (count: number) => 1000 + count * 86_400_000;
  expect([await take('old', days(30)), await take('old', days(30) + 1)]).toEqual([false, true]);
});

let logged = () => [] as string[];
/** Without reports from the queues of earlier purchases. */
const webhookEvents = () => logged().filter((event) => event.startsWith('webhook_'));

beforeEach(() => {
  logged = captureLogEvents();
});

/** A buyer whose gateway charged a renewal that we do not know of yet. */
async function renewed() {
  const line = { silent: false, statements: 0 };
  stubStripe({
    wrap: (next) => async (input, init) => {
      const { url } = new Request(input);
      if (url.includes('/v1/invoices?')) line.statements += 1;
      if (!line.silent) return next(input, init);
      return Response.json({ error: { type: 'authentication_error' } }, { status: 401 });
    },
  });
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
  return { names: { account: purchase.account, attempt, ...charge }, rows, line };
}

test.each(['account', 'attempt', 'subscriptionId', 'customerId', 'paymentId'] as const)(
  'webhook consumer: an event with its %s syncs the account',
  async (name) => {
    const { names, rows } = await renewed();
    const event = gatewayEvent({ [name]: names[name] });
    expect((await deliverToQueue('funnel-webhooks', [event])).again).toEqual([]);
    expect(await rows()).toBe(2);
  },
);

test('webhook consumer: ids of one gateway are not searched at the other', async () => {
  const { names, rows } = await renewed();
  const event = gatewayEvent({ gateway: 'braintree', customerId: names.customerId ?? '' });
  expect((await deliverToQueue('funnel-webhooks', [event])).again).toEqual(['m0']);
  expect(await rows()).toBe(1);
});

test('webhook consumer: a batch syncs an account once', async () => {
  const { names, line } = await renewed();
  const { account } = names;
  const events = Array.from({ length: 12 }, () => gatewayEvent({ account }));
  await deliverToQueue('funnel-webhooks', events);
  expect(line.statements).toBe(1);
});

test('webhook consumer: an event of an unknown account is dropped after three deliveries', async () => {
  const foreign = gatewayEvent({ customerId: 'cus_of_a_shop' });
  expect(await deliverToQueue('funnel-webhooks', [foreign], 1)).toMatchObject({
    again: ['m0'],
    delay: 30,
  });
  expect(await deliverToQueue('funnel-webhooks', [foreign], 2)).toMatchObject({
    again: ['m0'],
    delay: 60,
  });
  expect(webhookEvents()).toEqual([]);
  expect((await deliverToQueue('funnel-webhooks', [foreign], 3)).again).toEqual([]);
  expect(webhookEvents()).toEqual(['webhook_unknown_account']);
});

test('webhook consumer: events are retried while their gateway does not answer', async () => {
  const { names, rows, line } = await renewed();
  line.silent = true;
  const { account } = names;
  const events = [gatewayEvent({ account }), gatewayEvent({ account: crypto.randomUUID() })];
  expect((await deliverToQueue('funnel-webhooks', events, 9)).again).toEqual(['m0']);
  expect(logged()).toContain('sync_failed');
  line.silent = false;
  expect((await deliverToQueue('funnel-webhooks', events, 10)).again).toEqual([]);
  expect(await rows()).toBe(2);
});

test('webhook consumer: without D1 only events with our account id are consumed', async () => {
  const { names, rows } = await renewed();
  const { account, attempt } = names;
  const events = [gatewayEvent({ account }), gatewayEvent({ attempt })];
  const { again } = await deliverToQueue('funnel-webhooks', events, 9, { DB: failingBinding });
  expect(again).toEqual(['m1']);
  expect(await rows()).toBe(2);
});

test('webhook consumer: a malformed message is dropped and logged', async () => {
  const broken = [null, 'evt', { ...gatewayEvent(), gateway: 'paypal' }, { id: 'evt' }];
  expect((await deliverToQueue('funnel-webhooks', broken)).again).toEqual([]);
  expect(webhookEvents()).toEqual(broken.map(() => 'webhook_malformed'));
});
