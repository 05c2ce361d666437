import { env } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ask, refusalOf } from '../request.ts';
import { listen, scaled, seeded } from './payments-fixture.ts';
import { bodyOf, down, keepingQueue, kept, postStripe, signed } from './webhook-fixture.ts';

beforeEach(() => void listen());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const invoice = { object: 'invoice', customer: 'cus_1', metadata: { account: 'account' } };

test('webhook: a signed event is queued with its ids and nothing else', async () => {
  const { sent, queue } = keepingQueue();
  const body = bodyOf({ ...invoice, customer_email: 'ann@example.com' }, 'evt_a');
  const answer = await postStripe(body, await signed(body), { WEBHOOK_QUEUE: queue });
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
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
    },
  ]);
  expect(await kept('evt_a')).toEqual({ type: 'invoice.paid', queued: 1 });
});

test('webhook: a repeated event is answered 200 and queued once', async () => {
  const { sent, queue } = keepingQueue();
  const body = bodyOf(invoice);
  const post = async () => postStripe(body, await signed(body), { WEBHOOK_QUEUE: queue });
  const answers = await Promise.all(Array.from({ length: 10 }, post));
  answers.push(await post());
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(sent).toHaveLength(1);
});

test('webhook: an unhandled event is acknowledged and dropped', async () => {
  const { sent, queue } = keepingQueue();
  const body = JSON.stringify({ ...JSON.parse(bodyOf(invoice, 'evt_u')), type: 'invoice.created' });
  const answer = await postStripe(body, await signed(body), { WEBHOOK_QUEUE: queue });
  expect([answer.status, sent, await kept('evt_u')]).toEqual([200, [], null]);
});

test.each([
  ['radar.early_fraud_warning.created', 'error', 'fraud_warning'],
  ['invoice.payment_action_required', 'warn', 'payment_action_required'],
] as const)('webhook: %s is logged once for operators and queued', async (type, level, event) => {
  const said = vi.spyOn(console, level);
  const { sent, queue } = keepingQueue();
  const object = { object: 'radar.early_fraud_warning', payment_intent: 'pi_1' };
  const body = JSON.stringify({ ...JSON.parse(bodyOf(object)), type });
  for (const _ of [1, 2]) await postStripe(body, await signed(body), { WEBHOOK_QUEUE: queue });
  expect(sent).toMatchObject([{ type, paymentId: 'pi_1' }]);
  const lines = said.mock.calls.map(([line]) => JSON.parse(String(line)));
  expect(lines.filter((line) => line.event === event)).toMatchObject([
    { vendor: 'stripe', type, payment: 'pi_1' },
  ]);
});

test.each([
  ['just in time', 299, 200],
  ['too late', 302, 400],
])('webhook: a signature %s', async (_when, ago, status) => {
  const { queue } = keepingQueue();
  const body = bodyOf(invoice);
  const answer = await postStripe(body, await signed(body, ago), { WEBHOOK_QUEUE: queue });
  expect(answer.status).toBe(status);
});

test('webhook: an old signature is refused', async () => {
  const body = bodyOf(invoice);
  const signature = await signed(body);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 400_000 });
  const answer = await postStripe(body, signature);
  expect(await refusalOf(answer)).toEqual([
    400,
    'webhook_refused',
    'This message is not signed as it should be.',
  ]);
});

test('webhook: without D1 an event is queued all the same', async () => {
  const { sent, queue } = keepingQueue();
  const body = bodyOf(invoice);
  const answer = await postStripe(body, await signed(body), { WEBHOOK_QUEUE: queue, DB: down });
  expect([answer.status, sent.length]).toEqual([200, 1]);
});

test('webhook: without the queue the answer is 500, and the next delivery is queued', async () => {
  const body = bodyOf(invoice, 'evt_down');
  const refused = await postStripe(body, await signed(body), { WEBHOOK_QUEUE: down });
  expect((await refusalOf(refused)).slice(0, 2)).toEqual([500, 'webhook_not_queued']);
  expect(await kept('evt_down')).toBeNull();
  const { sent, queue } = keepingQueue();
  const taken = await postStripe(body, await signed(body), { WEBHOOK_QUEUE: queue });
  expect([taken.status, sent.length]).toEqual([200, 1]);
});

test('webhook: an event that was claimed and never queued is claimed again', async () => {
  const at = Date.now() - 60_000;
  await env.DB.prepare(
    `INSERT INTO webhook_events (id, type, claimed_at) VALUES ('stripe:evt_half', '', ?)`,
  )
    .bind(at)
    .run();
  const { sent, queue } = keepingQueue();
  const body = bodyOf(invoice, 'evt_half');
  await postStripe(body, await signed(body), { WEBHOOK_QUEUE: queue });
  expect(sent).toHaveLength(1);
});

test('webhook: refused without a secret, for an unknown gateway, or too large', async () => {
  const { sent, queue } = keepingQueue();
  const body = bodyOf(invoice);
  const bare = { WEBHOOK_QUEUE: queue, STRIPE_WEBHOOK_SECRET: undefined };
  expect((await postStripe(body, await signed(body), bare)).status).toBe(400);
  for (const path of ['/webhooks/paypal', '/webhooks/constructor']) {
    const answer = await ask(path, { method: 'POST', body }, { WEBHOOK_QUEUE: queue });
    expect(answer.status).toBe(404);
  }
  const large = bodyOf({ ...invoice, filler: 'x'.repeat(256 * 1024) });
  expect((await postStripe(large, await signed(large), { WEBHOOK_QUEUE: queue })).status).toBe(413);
  expect(sent).toEqual([]);
});

test('webhook: of 10,000 mutations of body or signature none is accepted or stored', {
  timeout: 600_000,
}, async () => {
  const random = seeded(300);
  const below = (limit: number) => Math.floor(random() * limit);
  const { sent, queue } = keepingQueue();
  const body = bodyOf(invoice, 'evt_mutated');
  const bytes = new TextEncoder().encode(body);
  const signature = await signed(body);
  /** Another byte at a place, a byte less, or one more. */
  const mutated = (from: Uint8Array): Uint8Array => {
    const at = below(from.length);
    const one = from[at] ?? 0;
    const kind = below(3);
    const middle = kind === 0 ? [one ^ (1 + below(255))] : kind === 1 ? [] : [below(256), one];
    return Uint8Array.from([...from.slice(0, at), ...middle, ...from.slice(at + 1)]);
  };
  /** Printable, so that it is a header at all. */
  const bent = () => {
    const letters = [...signature];
    const at = below(letters.length);
    const other = String.fromCharCode(33 + below(94));
    letters[at] = other === letters[at] ? '' : other;
    return letters.join('');
  };
  const foreign = bytes.length;
  const statuses = new Set<number>();
  for (let round = 0; round < scaled(10_000); round++) {
    const answer =
      random() < 0.7
        ? await postStripe(mutated(bytes), signature, { WEBHOOK_QUEUE: queue })
        : await postStripe(bytes, bent(), { WEBHOOK_QUEUE: queue });
    statuses.add(answer.status);
  }
  const marked = Uint8Array.from([0xef, 0xbb, 0xbf, ...bytes]);
  for (const [other, header] of [
    [marked, signature],
    [bytes.slice(0, foreign - 1), signature],
    [bytes, null],
    [bytes, ''],
  ] as const) {
    statuses.add((await postStripe(other, header, { WEBHOOK_QUEUE: queue })).status);
  }
  expect([...statuses]).toEqual([400]);
  expect([sent, await kept('evt_mutated')]).toEqual([[], null]);
  await postStripe(body, signature, { WEBHOOK_QUEUE: queue });
  expect(sent).toHaveLength(1);
});
