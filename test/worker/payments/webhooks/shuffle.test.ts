import { env, runDurableObjectAlarm } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { webhooks } from '../../../fakes/stripe/webhooks.ts';
import { ask } from '../../request.ts';
import { buyer, openBank, quietly, seeded } from '../payments-fixture.ts';
import { deliver, keepingQueue, secret } from '../webhook-fixture.ts';
import { lives, liveThrough, type Step } from './subscription-lifecycles.ts';

quietly();

/** What an endpoint is registered for; see worker/payments/gateways/README.md. */
const wanted =
  /^(payment_intent\.(succeeded|payment_failed)|invoice\.(paid|payment_failed)|charge\.(refunded|refund\.updated|dispute\.(created|closed))|customer\.subscription\.(updated|deleted))$/;

type Bank = ReturnType<typeof openBank>;

async function call(bank: Bank, path: string, params: Record<string, string>) {
  const headers = { authorization: `Bearer ${env.STRIPE_SECRET_KEY}` };
  const body = new URLSearchParams(params);
  const url = `https://api.stripe.com/v1/${path}`;
  const answer = await bank.fetch(new Request(url, { method: 'POST', headers, body }));
  expect(answer.status).toBe(200);
}

const newest = (bank: Bank) => bank.captures().at(-1)?.payment_intent ?? '';

/** What happens to a subscription. */
function life(bank: Bank, subscription: string): Step[] {
  const { cards } = bank.state;
  const spoil = (card: string) => {
    for (const method of Object.keys(cards)) cards[method] = card;
  };
  return [
    [32, () => bank.passTime()],
    [1, () => call(bank, 'refunds', { payment_intent: newest(bank), amount: '500' })],
    [1, () => spoil('pm_card_chargeCustomerFail')],
    [29, () => bank.passTime()],
    [0, () => spoil('pm_card_visa')],
    [3, () => bank.passTime()],
    [0, () => call(bank, `disputes/${bank.dispute(newest(bank))}/close`, {})],
    [29, () => bank.passTime()],
    [0, () => call(bank, 'refunds', { payment_intent: newest(bank) })],
    [0, () => call(bank, `subscriptions/${subscription}`, { cancel_at_period_end: 'true' })],
    [32, () => bank.passTime()],
  ];
}

const whole = [
  ...[3999, 3999, 3999, 3999].map((amount) => ({ kind: 'capture', amount })),
  { kind: 'dispute', amount: 3999 },
  { kind: 'refund', amount: 500 },
  { kind: 'refund', amount: 3999 },
];

test('webhooks: 1,000 lifecycles in any order, with repeated or missing events, have the same rows', {
  timeout: 3_000_000,
}, async () => {
  const random = seeded(12);
  const ends = { told: 0, healed: 0 };
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < lives; round++) {
    const { sent, queue } = keepingQueue();
    const events = new Set<string>();
    const line = webhooks({
      secret,
      url: 'https://funnel.example/webhooks/stripe',
      now: () => Date.now(),
      random,
      shuffle: true,
      duplicate: 0.3,
      // Every fourth endpoint is deaf: nothing ever comes.
      drop: round % 4 === 0 ? 1 : 0.3,
      handle: async ({ headers, body }) =>
        ask('/webhooks/stripe', { method: 'POST', headers, body }, { WEBHOOK_QUEUE: queue }),
    });
    const bank = openBank(undefined, undefined, {
      now: () => Date.now(),
      onEvent: (event) => {
        if (!wanted.test(event.type)) return;
        events.add(event.id);
        line.onEvent(event);
      },
    });
    const owner = buyer();
    const tell = async () => {
      await line.flush();
      const messages = sent.splice(0);
      if (messages.length === 0) return;
      const { again } = await deliver('funnel-webhooks', messages);
      sent.push(...messages.filter((_, index) => again.includes(`m${index}`)));
      await runDurableObjectAlarm(owner.stub);
    };
    const told = await liveThrough(owner, (id) => life(bank, id), tell, random, whole);
    least = Math.min(least, events.size);
    ends[told ? 'told' : 'healed'] += 1;
  }
  expect(least).toBeGreaterThanOrEqual(12);
  expect(ends.told).toBeGreaterThan(0);
  expect(ends.healed).toBeGreaterThan(0);
});
