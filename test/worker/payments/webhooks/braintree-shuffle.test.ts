import { runDurableObjectAlarm } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { merchant } from '../../../fakes/braintree/client-token.ts';
import { type Webhook, webhookAt } from '../../../fakes/braintree/notifications.ts';
import { ask } from '../../request.ts';
import { openBraintree } from '../gateways/braintree/braintree-fixture.ts';
import { buyer, quietly, seeded } from '../payments-fixture.ts';
import { deliver, keepingQueue } from '../webhook-fixture.ts';
import { lives, liveThrough, type Step } from './subscription-lifecycles.ts';

quietly();

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

/** What happens to a subscription. */
function life(bank: Bank, subscription: string): Step[] {
  const charges = (code: string) => {
    for (const method of Object.keys(bank.state.methods)) bank.decline(method, code);
  };
  return [
    [32, () => bank.passTime()],
    [2, () => refund(bank, '5.00')],
    [29, () => bank.passTime()],
    [1, () => charges('2001')],
    [31, () => bank.passTime()],
    [10, () => bank.passTime()],
    [10, () => bank.passTime()],
    [0, () => charges('1000')],
    [10, () => bank.passTime()],
    [2, () => bank.dispute(newest(bank))],
    [0, () => bank.lose(newest(bank))],
    [31, () => bank.passTime()],
    [2, () => refund(bank)],
    [0, () => call(bank, 'PUT', `/subscriptions/${subscription}/cancel`)],
    [32, () => bank.passTime()],
  ];
}

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
        const answer = await ask('/webhooks/braintree', init, { WEBHOOK_QUEUE: queue });
        expect(answer.status).toBe(200);
      }
    },
  };
}

test('webhooks: Braintree: 1,000 lifecycles in any order, with repeated or missing events, have the same rows', {
  timeout: 3_000_000,
}, async () => {
  const random = seeded(21);
  for (let round = 0; round < lives; round++) {
    // Every fourth endpoint is deaf: nothing ever comes.
    const ear = endpoint(random, round % 4 === 0 ? 1 : 0.3);
    const { bank } = openBraintree({ now: () => Date.now(), onWebhook: ear.hear });
    const owner = buyer({ gateway: 'braintree', nonce: 'fake-valid-nonce' });
    const tell = async () => {
      await bank.passTime();
      await ear.flush();
      const messages = ear.sent.splice(0);
      if (messages.length === 0) return;
      await deliver('funnel-webhooks', messages);
      await runDurableObjectAlarm(owner.stub);
    };
    await liveThrough(owner, (id) => life(bank, id), tell, random, whole);
    expect(ear.events()).toBeGreaterThanOrEqual(12);
  }
});
