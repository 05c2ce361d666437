import { env, runDurableObjectAlarm } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { Reckoning } from '../../../worker/reckoning.ts';
import { merchant } from '../../fakes/braintree/client-token.ts';
import { type Webhook, webhookAt } from '../../fakes/braintree/notifications.ts';
import { patience } from '../../patience.ts';
import { ask } from '../ask.ts';
import { buy, buyer, seeded } from '../purchases/bank.ts';
import { openBraintree } from '../vendors/braintree-bank.ts';
import { deliver, keepingQueue } from './event.ts';
import { quietly } from './said.ts';

quietly();

const day = 86_400_000;
/** A twentieth is shared by both gateways. */
const lives = env.PROVE ? 1000 : 25;

type Bank = ReturnType<typeof openBraintree>['bank'];

const newest = (bank: Bank) => bank.captures().at(-1)?.transaction ?? '';

/** What an operator does in the control panel. */
async function call(bank: Bank, method: string, path: string, body: object = {}) {
  const authorization = `Basic ${btoa(`${merchant.publicKey}:${merchant.privateKey}`)}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const url = `https://api.sandbox.braintreegateway.com/merchants/${merchant.id}${path}`;
  await bank.fetch(url, { method, headers, body: JSON.stringify(body) });
}

const refund = (bank: Bank, amount?: string) =>
  call(bank, 'POST', `/transactions/${newest(bank)}/refund`, { transaction: { amount } });

/** What happens to a subscription, a step each, and after how many days. */
function life(bank: Bank, subscription: string): [days: number, step: () => unknown][] {
  const charges = (code: string) => {
    for (const method of Object.keys(bank.state.methods)) bank.decline(method, code);
  };
  return [
    [32, () => bank.pass()],
    [2, () => refund(bank, '5.00')],
    [29, () => bank.pass()],
    [1, () => charges('2001')],
    [31, () => bank.pass()],
    [10, () => bank.pass()],
    [10, () => bank.pass()],
    [0, () => charges('1000')],
    [10, () => bank.pass()],
    [2, () => bank.dispute(newest(bank))],
    [0, () => bank.lose(newest(bank))],
    [31, () => bank.pass()],
    [2, () => refund(bank)],
    [0, () => call(bank, 'PUT', `/subscriptions/${subscription}/cancel`)],
    [32, () => bank.pass()],
  ];
}

const rowsInD1 = async (attempt: string) =>
  (
    await env.DB.prepare('SELECT kind, amount FROM ledger WHERE attempt = ? ORDER BY kind, amount')
      .bind(attempt)
      .all()
  ).results;

const whole = [
  ...[3999, 3999, 3999, 3999, 3999].map((amount) => ({ kind: 'capture', amount })),
  { kind: 'dispute', amount: 3999 },
  { kind: 'refund', amount: 500 },
  { kind: 'refund', amount: 3999 },
];

/** An endpoint that hears some of what happened: in any order, twice, or never. */
function endpoint(random: () => number, drop: number) {
  const { sent, queue } = keepingQueue();
  let waiting: Webhook[] = [];
  let events = 0;
  return {
    events: () => events,
    sent,
    hear(webhook: Webhook) {
      events += 1;
      if (random() < drop) return;
      waiting.push(webhook, ...(random() < 0.3 ? [webhook] : []));
    },
    async flush() {
      const all = waiting.map((webhook) => ({ webhook, at: random() })).sort((a, b) => a.at - b.at);
      waiting = [];
      for (const { webhook } of all) {
        const { bt_signature, bt_payload } = await webhookAt(merchant, webhook, Date.now());
        const body = new URLSearchParams({ bt_signature, bt_payload });
        const init = { method: 'POST', body: body.toString() };
        const answer = await ask('/webhooks/braintree', init, { WEBHOOKS: queue });
        expect(answer.status).toBe(200);
      }
    },
  };
}

test('Braintree: 1,000 lives told in any order, twice or never: the rows are always the same', {
  timeout: 3_000_000,
}, async () => {
  const random = seeded(21);
  for (let round = 0; round < lives; round++) {
    // Every fourth endpoint is deaf: nothing ever comes.
    const ear = endpoint(random, round % 4 === 0 ? 1 : 0.3);
    const { bank } = openBraintree({ now: () => Date.now(), onWebhook: ear.hear });
    const { stub, purchase } = buyer({ gateway: 'braintree', nonce: 'fake-valid-nonce' });
    const { id: attempt, charge } = await buy(stub, purchase);
    await vi.waitFor(async () => expect(await rowsInD1(attempt)).toHaveLength(1), patience);
    const tell = async () => {
      await bank.pass();
      await ear.flush();
      const messages = ear.sent.splice(0);
      if (messages.length === 0) return;
      await deliver('funnel-webhooks', messages);
      await runDurableObjectAlarm(stub);
    };
    let now = Date.now();
    for (const [days, step] of life(bank, charge?.subscriptionId ?? '')) {
      now += days * day;
      vi.useFakeTimers({ toFake: ['Date'], now });
      await step();
      if (random() < 0.4) await tell();
    }
    await tell();
    expect(ear.events()).toBeGreaterThanOrEqual(12);
    // Until nothing is due any more: what nobody told us of is asked for.
    for (let alarms = 0; alarms < 9 && (await runDurableObjectAlarm(stub)); alarms++) {
      now += 35 * day;
      vi.useFakeTimers({ toFake: ['Date'], now });
    }
    expect(await rowsInD1(attempt)).toEqual(whole);
    expect((await stub.held())[0]?.bought).toMatchObject({ status: 'ended', ends: true });
    const told: Reckoning | null = await stub.compare();
    expect(told?.pending).toEqual([]);
    expect(told?.lines.filter(({ ledger, provider }) => ledger !== provider)).toEqual([]);
    vi.useRealTimers();
  }
});
