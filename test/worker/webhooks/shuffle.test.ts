import { env, runDurableObjectAlarm } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { Reckoning } from '../../../worker/reckoning.ts';
import { webhooks } from '../../fakes/stripe/webhooks.ts';
import { patience } from '../../patience.ts';
import { ask } from '../ask.ts';
import { buy, buyer, openBank, seeded } from '../purchases/bank.ts';
import { deliver, keepingQueue } from './event.ts';
import { secret } from './posted.ts';
import { quietly } from './said.ts';

quietly();

const day = 86_400_000;
/** A twentieth is shared by both gateways. */
const lives = env.PROVE ? 1000 : 25;
/** What an endpoint is registered for; see worker/README.md. */
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

/** What happens to a subscription, a step each, and after how many days. */
function life(bank: Bank, subscription: string): [days: number, step: () => unknown][] {
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

const rowsInD1 = async (attempt: string) =>
  (
    await env.DB.prepare('SELECT kind, amount FROM ledger WHERE attempt = ? ORDER BY kind, amount')
      .bind(attempt)
      .all()
  ).results;

const whole = [
  ...[3999, 3999, 3999, 3999].map((amount) => ({ kind: 'capture', amount })),
  { kind: 'dispute', amount: 3999 },
  { kind: 'refund', amount: 500 },
  { kind: 'refund', amount: 3999 },
];

test('1,000 lives told in any order, twice or never: the rows are always the same', {
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
        ask('/webhooks/stripe', { method: 'POST', headers, body }, { WEBHOOKS: queue }),
    });
    const bank = openBank(undefined, undefined, {
      now: () => Date.now(),
      onEvent: (event) => {
        if (!wanted.test(event.type)) return;
        events.add(event.id);
        line.onEvent(event);
      },
    });
    const { stub, purchase } = buyer();
    const { id: attempt, charge } = await buy(stub, purchase);
    await vi.waitFor(async () => expect(await rowsInD1(attempt)).toHaveLength(1), patience);
    const tell = async () => {
      await line.flush();
      const messages = sent.splice(0);
      if (messages.length === 0) return;
      const { again } = await deliver('funnel-webhooks', messages);
      sent.push(...messages.filter((_, index) => again.includes(`m${index}`)));
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
    least = Math.min(least, events.size);
    const [held] = await stub.held();
    ends[held?.bought.status === 'ended' ? 'told' : 'healed'] += 1;
    // Until nothing is due any more: what nobody told us of is asked for.
    for (let alarms = 0; alarms < 9 && (await runDurableObjectAlarm(stub)); alarms++) {
      now += 35 * day;
      vi.useFakeTimers({ toFake: ['Date'], now });
    }
    expect(await rowsInD1(attempt)).toEqual(whole);
    expect((await stub.held())[0]?.bought).toMatchObject({ status: 'ended', ends: true });
    const told: Reckoning | null = await stub.compare();
    expect(told?.pending).toEqual([]);
    const sides = told?.lines.map(({ ledger, provider }) => [ledger, provider]);
    expect(sides).toEqual(whole.map(() => [expect.any(Number), expect.any(Number)]));
    expect(sides?.every(([ledger, provider]) => ledger === provider)).toBe(true);
    vi.useRealTimers();
  }
  expect(least).toBeGreaterThanOrEqual(12);
  expect(ends.told).toBeGreaterThan(0);
  expect(ends.healed).toBeGreaterThan(0);
});
