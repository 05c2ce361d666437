import { env } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ask, refusalOf } from '../ask.ts';
import { scaled, seeded } from '../purchases/bank.ts';
import { down, keepingQueue } from '../webhooks/event.ts';
import { bodyOf, kept, postStripe, signed } from '../webhooks/posted.ts';
import { listen } from '../webhooks/said.ts';

beforeEach(() => void listen());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const invoice = { object: 'invoice', customer: 'cus_1', metadata: { account: 'account' } };

test('an authentic event lies in the queue, and says whom it is about and nothing else', async () => {
  const { sent, queue } = keepingQueue();
  const body = bodyOf({ ...invoice, customer_email: 'ann@example.com' }, 'evt_a');
  const answer = await postStripe(body, await signed(body), { WEBHOOKS: queue });
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

test('an event that comes again, ten times at once too, is answered 200 and queued once', async () => {
  const { sent, queue } = keepingQueue();
  const body = bodyOf(invoice);
  const post = async () => postStripe(body, await signed(body), { WEBHOOKS: queue });
  const answers = await Promise.all(Array.from({ length: 10 }, post));
  answers.push(await post());
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(sent).toHaveLength(1);
});

test('an event that nothing handles is acknowledged and dropped', async () => {
  const { sent, queue } = keepingQueue();
  const body = JSON.stringify({ ...JSON.parse(bodyOf(invoice, 'evt_u')), type: 'invoice.created' });
  const answer = await postStripe(body, await signed(body), { WEBHOOKS: queue });
  expect([answer.status, sent, await kept('evt_u')]).toEqual([200, [], null]);
});

test.each([
  ['radar.early_fraud_warning.created', 'error', 'fraud_warning'],
  ['invoice.payment_action_required', 'warn', 'payment_action_required'],
] as const)('%s is told to operators once, and read anew', async (type, level, event) => {
  const said = vi.spyOn(console, level);
  const { sent, queue } = keepingQueue();
  const object = { object: 'radar.early_fraud_warning', payment_intent: 'pi_1' };
  const body = JSON.stringify({ ...JSON.parse(bodyOf(object)), type });
  for (const _ of [1, 2]) await postStripe(body, await signed(body), { WEBHOOKS: queue });
  expect(sent).toMatchObject([{ type, paymentId: 'pi_1' }]);
  const lines = said.mock.calls.map(([line]) => JSON.parse(String(line)));
  expect(lines.filter((line) => line.event === event)).toMatchObject([
    { vendor: 'stripe', type, key: 'pi_1' },
  ]);
});

test.each([
  ['just in time', 299, 200],
  ['too late', 302, 400],
])('a signature %s', async (_when, ago, status) => {
  const { queue } = keepingQueue();
  const body = bodyOf(invoice);
  const answer = await postStripe(body, await signed(body, ago), { WEBHOOKS: queue });
  expect(answer.status).toBe(status);
});

test('the clock is the one that is given: what is old now was new then', async () => {
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

test('with the database down an event still lies in the queue', async () => {
  const { sent, queue } = keepingQueue();
  const body = bodyOf(invoice);
  const answer = await postStripe(body, await signed(body), { WEBHOOKS: queue, DB: down });
  expect([answer.status, sent.length]).toEqual([200, 1]);
});

test('with the queue down: 500, and the event is taken when it comes again', async () => {
  const body = bodyOf(invoice, 'evt_down');
  const refused = await postStripe(body, await signed(body), { WEBHOOKS: down });
  expect((await refusalOf(refused)).slice(0, 2)).toEqual([500, 'webhook_not_taken']);
  expect(await kept('evt_down')).toBeNull();
  const { sent, queue } = keepingQueue();
  const taken = await postStripe(body, await signed(body), { WEBHOOKS: queue });
  expect([taken.status, sent.length]).toEqual([200, 1]);
});

test('an event that was begun and never queued is taken up again', async () => {
  const at = Date.now() - 60_000;
  await env.DB.prepare(
    `INSERT INTO webhook_events (id, type, at) VALUES ('stripe:evt_half', '', ?)`,
  )
    .bind(at)
    .run();
  const { sent, queue } = keepingQueue();
  const body = bodyOf(invoice, 'evt_half');
  await postStripe(body, await signed(body), { WEBHOOKS: queue });
  expect(sent).toHaveLength(1);
});

test('without a secret, of an unknown gateway, too large: nothing is taken', async () => {
  const { sent, queue } = keepingQueue();
  const body = bodyOf(invoice);
  const bare = { WEBHOOKS: queue, STRIPE_WEBHOOK_SECRET: undefined };
  expect((await postStripe(body, await signed(body), bare)).status).toBe(400);
  for (const path of ['/webhooks/paypal', '/webhooks/constructor']) {
    const answer = await ask(path, { method: 'POST', body }, { WEBHOOKS: queue });
    expect(answer.status).toBe(404);
  }
  const large = bodyOf({ ...invoice, filler: 'x'.repeat(256 * 1024) });
  expect((await postStripe(large, await signed(large), { WEBHOOKS: queue })).status).toBe(413);
  expect(sent).toEqual([]);
});

test('10,000 mutations of body or signature: none is accepted, nothing is kept', {
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
        ? await postStripe(mutated(bytes), signature, { WEBHOOKS: queue })
        : await postStripe(bytes, bent(), { WEBHOOKS: queue });
    statuses.add(answer.status);
  }
  const marked = Uint8Array.from([0xef, 0xbb, 0xbf, ...bytes]);
  for (const [other, header] of [
    [marked, signature],
    [bytes.slice(0, foreign - 1), signature],
    [bytes, null],
    [bytes, ''],
  ] as const) {
    statuses.add((await postStripe(other, header, { WEBHOOKS: queue })).status);
  }
  expect([...statuses]).toEqual([400]);
  expect([sent, await kept('evt_mutated')]).toEqual([[], null]);
  await postStripe(body, signature, { WEBHOOKS: queue });
  expect(sent).toHaveLength(1);
});
