import { env, runDurableObjectAlarm } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { GatewayName } from '../../../../worker/payments/purchase/state.ts';
import { merchant } from '../../../fakes/braintree/client-api.ts';
import { type Webhook, webhookAt } from '../../../fakes/braintree/clock.ts';
import { webhooks } from '../../../fakes/stripe/webhooks.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { pollTimeout } from '../../../poll-timeout.ts';
import { seeded } from '../../../seeded-random.ts';
import { deliverToQueue, recordingQueue } from '../../queue.ts';
import { request } from '../../request.ts';
import { takeUnannounced } from '../announced-audit.ts';
import { stubBraintree } from '../gateways/braintree/braintree-fixture.ts';
import { buy, buyer, stubStripe } from '../payments-fixture.ts';
import { secret } from './webhook-fixture.ts';

/** The number of subscriptions at each gateway. */
const lives = env.FULL ? 1000 : 5;
const now = () => Date.now();

/** A subscription's next event, and the days before it. */
type Step = readonly [days: number, step: () => unknown];

/** A gateway, and an endpoint that receives some of its events: in any order, twice, or never. */
interface EventSource {
  stepsOf(subscription: string): Step[];
  /** Sends the waiting events to the endpoint, which queues them. */
  flush(): Promise<unknown>;
  events(): number;
  queued: unknown[];
}

function stripeEvents(random: () => number, drop: number): EventSource {
  const { sent, queue } = recordingQueue();
  const events = new Set<string>();
  const endpoint = webhooks({
    secret,
    url: 'https://funnel.example/webhooks/stripe',
    now,
    random,
    shuffle: true,
    duplicate: 0.3,
    drop,
    handle: async ({ headers, body }) =>
      request('/webhooks/stripe', { method: 'POST', headers, body }, { WEBHOOK_QUEUE: queue }),
  });
  const fake = stubStripe({
    now,
    onEvent: (event) => {
      if (/^(product|price|setup_intent|payment_method)\./.test(event.type)) return;
      events.add(event.id);
      endpoint.onEvent(event);
    },
  });
  const call = async (path: string, params: Record<string, string>) => {
    const headers = { authorization: `Bearer ${env.STRIPE_SECRET_KEY}` };
    const init = { method: 'POST', headers, body: new URLSearchParams(params) };
    const response = await fake.fetch(new Request(`https://api.stripe.com/v1/${path}`, init));
    expect(response.status).toBe(200);
  };
  const newest = () => fake.captures().at(-1)?.payment_intent ?? '';
  const cards = (card: string) => {
    for (const method of Object.keys(fake.state.cards)) fake.state.cards[method] = card;
  };
  return {
    stepsOf: (subscription) => [
      [32, () => fake.passTime()],
      [1, () => call('refunds', { payment_intent: newest(), amount: '500' })],
      [1, () => cards('pm_card_chargeCustomerFail')],
      [29, () => fake.passTime()],
      [0, () => cards('pm_card_visa')],
      [3, () => fake.passTime()],
      [0, () => call(`disputes/${fake.dispute(newest())}/close`, {})],
      [29, () => fake.passTime()],
      [0, () => call('refunds', { payment_intent: newest() })],
      [0, () => call(`subscriptions/${subscription}`, { cancel_at_period_end: 'true' })],
      [32, () => fake.passTime()],
    ],
    flush: () => endpoint.flush(),
    events: () => events.size,
    queued: sent,
  };
}

function braintreeEvents(random: () => number, drop: number): EventSource {
  const { sent, queue } = recordingQueue();
  let waiting: Webhook[] = [];
  let events = 0;
  const { fake } = stubBraintree({
    now,
    onWebhook(webhook) {
      events += 1;
      if (random() < drop) return;
      waiting.push(webhook, ...(random() < 0.3 ? [webhook] : []));
    },
  });
  const call = (method: string, path: string, body: object = {}) => {
    const authorization = `Basic ${btoa(`${merchant.publicKey}:${merchant.privateKey}`)}`;
    const headers = { authorization, 'content-type': 'application/json' };
    const url = `https://api.sandbox.braintreegateway.com/merchants/${merchant.id}${path}`;
    return fake.fetch(url, { method, headers, body: JSON.stringify(body) });
  };
  const newest = () => fake.captures().at(-1)?.transaction ?? '';
  const refund = (amount?: string) =>
    call('POST', `/transactions/${newest()}/refund`, { transaction: { amount } });
  const charges = (code: string) => {
    for (const method of Object.keys(fake.state.methods)) fake.decline(method, code);
  };
  return {
    stepsOf: (subscription) => [
      [32, () => fake.passTime()],
      [2, () => refund('5.00')],
      [29, () => fake.passTime()],
      [1, () => charges('2001')],
      [31, () => fake.passTime()],
      [10, () => fake.passTime()],
      [10, () => fake.passTime()],
      [0, () => charges('1000')],
      [10, () => fake.passTime()],
      [2, () => fake.dispute(newest())],
      [0, () => fake.lose(newest())],
      [31, () => fake.passTime()],
      [2, () => refund()],
      [0, () => call('PUT', `/subscriptions/${subscription}/cancel`)],
      [32, () => fake.passTime()],
    ],
    async flush() {
      await fake.passTime();
      const all = waiting.map((webhook) => ({ webhook, at: random() })).sort((a, b) => a.at - b.at);
      waiting = [];
      for (const { webhook } of all) {
        const { bt_signature, bt_payload } = await webhookAt(merchant, webhook, now());
        const body = new URLSearchParams({ bt_signature, bt_payload }).toString();
        const init = { method: 'POST', body };
        const response = await request('/webhooks/braintree', init, { WEBHOOK_QUEUE: queue });
        expect(response.status).toBe(200);
      }
    },
    events: () => events,
    queued: sent,
  };
}

const rowsInD1 = async (attempt: string) => {
  const query = 'SELECT kind, amount FROM ledger WHERE attempt_id = ? ORDER BY kind, amount';
  return (await env.DB.prepare(query).bind(attempt).all<{ kind: string; amount: number }>())
    .results;
};

const passDays = (days: number) =>
  vi.useFakeTimers({ toFake: ['Date'], now: now() + days * 86_400_000 });

/** Passes one subscription's life. @returns whether an event, and not our own look-up, reported its end */
async function runLifecycle(gateway: GatewayName, line: EventSource, random: () => number) {
  const { stub, purchase } = buyer({ gateway, nonce: approved[gateway] });
  const tell = async () => {
    await line.flush();
    const messages = line.queued.splice(0);
    if (messages.length === 0) return;
    const { again } = await deliverToQueue('funnel-webhooks', messages);
    line.queued.push(...messages.filter((_, index) => again.includes(`m${index}`)));
    await runDurableObjectAlarm(stub);
  };
  const { id: attempt, charge } = await buy(stub, purchase);
  await vi.waitFor(async () => expect(await rowsInD1(attempt)).toHaveLength(1), pollTimeout);
  for (const [days, step] of line.stepsOf(charge?.subscriptionId ?? '')) {
    passDays(days);
    await step();
    if (random() < 0.4) await tell();
  }
  await tell();
  const byWebhook = (await stub.ownedSubscriptions())[0]?.subscription.status === 'ended';
  // The alarm handler reads what no event reported, until nothing is due any longer.
  for (let alarms = 0; alarms < 9 && (await runDurableObjectAlarm(stub)); alarms++) passDays(35);
  expect((await stub.ownedSubscriptions())[0]?.subscription).toMatchObject({
    status: 'ended',
    ends: true,
  });
  // In between nobody runs the alarm handler, which would have cancelled before the next renewal.
  takeUnannounced();
  const { pending, lines } = await stub.compare();
  expect(pending).toEqual([]);
  expect(lines.filter(({ ledger, provider }) => ledger !== provider)).toEqual([]);
  const rows = await rowsInD1(attempt);
  expect(lines).toHaveLength(rows.length);
  vi.useRealTimers();
  return { byWebhook, rows };
}

test.for([
  ['stripe', stripeEvents, [3999, 3999, 3999, 3999], 3999],
  // The bill after the unpaid one is for both.
  ['braintree', braintreeEvents, [3999, 3999, 3999, 3999, 7998], 7998],
] as const)(
  'webhooks: %s: 1,000 lifecycles in any order, with repeated or missing events, have the same rows',
  { timeout: 3_000_000 },
  async ([gateway, open, captures, disputed]) => {
    const random = seeded(12);
    const ends = { byWebhook: 0, healed: 0 };
    for (let round = 0; round < lives; round++) {
      // Every fourth endpoint receives no events.
      const line = open(random, round % 4 === 0 ? 1 : 0.3);
      const { byWebhook, rows } = await runLifecycle(gateway, line, random);
      expect(rows).toEqual([
        ...captures.map((amount) => ({ kind: 'capture', amount })),
        { kind: 'dispute', amount: disputed },
        { kind: 'refund', amount: 500 },
        { kind: 'refund', amount: 3999 },
      ]);
      expect(line.events()).toBeGreaterThanOrEqual(12);
      ends[byWebhook ? 'byWebhook' : 'healed'] += 1;
    }
    if (gateway === 'stripe') expect(ends.byWebhook).toBeGreaterThan(0);
    expect(ends.healed).toBeGreaterThan(0);
  },
);
