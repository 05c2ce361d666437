import { env } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { listDeadLetters, takeDeadLetter } from '../../../../worker/operators/dead-letter-table.ts';
import { replay } from '../../../../worker/operators/dead-letters.ts';
import { paymentIdOf } from '../../../../worker/types.ts';
import { buy, buyer, offBooks, openBanks, quietly, settle } from '../payments-fixture.ts';
import { drive } from './driven-object.ts';

quietly();

let said: { level: string; event: string }[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  said = [];
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((line) => void said.push(JSON.parse(String(line))));
  }
});
/** An account whose plan costs 39.99 today. */
function shop() {
  const banks = openBanks({ now: () => Date.now() });
  return { ...banks, ...buyer({ plan: 'monthly_usd' }) };
}

test('lost money: a capture that bought nothing is logged as an error with its amount and ids', async () => {
  const { stripe, stub, purchase } = shop();
  await drive(stub, async (driven) => {
    const nonce = 'pm_card_authenticationRequired';
    const opened = await driven.run((object) => object.buy({ ...purchase, nonce }));
    if (opened.kind === 'refused') throw new Error(opened.refusal);
    await driven.run((object) => object.alarm());
    const asked = driven.object().result(opened.pollingId);
    if (!asked) throw new Error(opened.pollingId);
    const intent = stripe.state.payment_intents[asked.paymentId ?? ''];
    if (intent) intent.amount = 100;
    stripe.challenge(asked.paymentId ?? '', 'authenticated');
    await driven.run((object) => object.buy({ ...purchase, paymentId: asked.paymentId }));
    await driven.rest();
    expect(driven.object().result(asked.pollingId)?.state).toBe('failed');
    expect(said.filter(({ event }) => event === 'captured_without_purchase')).toMatchObject([
      {
        level: 'error',
        attempt: asked.id,
        payment: asked.paymentId,
        amount: 100,
        currency: 'USD',
        state: 'kept',
      },
    ]);
    // Nor does what it paid for renew.
    const [subscription] = Object.values(stripe.state.subscriptions);
    expect(subscription?.status).toBe('canceled');
  });
  offBooks(stub);
});

test('lost money: a kept capture is a dead letter until an operator replays it', async () => {
  const { stripe, stub, purchase } = shop();
  const asked = await buy(stub, { ...purchase, nonce: 'pm_card_authenticationRequired' });
  const payment = asked.paymentId ?? '';
  const intent = stripe.state.payment_intents[payment];
  if (intent) intent.amount = 100;
  stripe.challenge(payment, 'authenticated');
  expect((await buy(stub, { ...purchase, paymentId: paymentIdOf(payment) })).state).toBe('failed');
  await settle(stub);
  const listed = async () => {
    const letters = await listDeadLetters(env.DB, Number.MAX_SAFE_INTEGER, false);
    return letters.find(({ id }) => id === `purchases:${asked.id}:${payment}`);
  };
  const letter = await listed();
  expect(letter?.reason).toBe('money kept');
  expect(JSON.parse(letter?.body ?? '{}')).toEqual({
    attempt: asked.id,
    account: purchase.account,
    gateway: 'stripe',
    payment,
    amount: 100,
    currency: 'USD',
  });
  const taken = letter && (await takeDeadLetter(env.DB, letter.id, 'key', Date.now()));
  if (taken) await replay(taken.letter, env);
  expect([taken?.taken, await listed()]).toEqual([true, undefined]);
  offBooks(stub);
});
