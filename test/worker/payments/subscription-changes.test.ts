import { runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { OwnedSubscription, ResumeResult } from '../../../worker/payments/cancel-resume.ts';
import type { Purchases } from '../../../worker/payments/purchases-object.ts';
import type { GatewayName } from '../../../worker/payments/rules/attempt.ts';
import { approved } from '../../fakes/test-nonces.ts';
import { shownTerms } from './attempt-fixture.ts';
import {
  buy,
  buyer,
  openBanks,
  postBox,
  quietly,
  scaled,
  seeded,
  settle,
} from './payments-fixture.ts';

quietly();

const day = 24 * 60 * 60_000;
/** A monthly plan, at a bank whose clock is the test's. */
async function bought(gateway: GatewayName = 'stripe') {
  let ahead = 0;
  const banks = openBanks({ now: () => Date.now() + ahead });
  const { stub, purchase } = buyer({
    gateway,
    nonce: approved[gateway],
    terms: shownTerms({ market: 'us' }),
  });
  const { id } = await buy(stub, purchase);
  const settle = () => runInDurableObject(stub, (object: Purchases) => object.alarm());
  const held = async () => {
    const [one] = (await stub.ownedSubscriptions()) as OwnedSubscription[];
    if (!one) throw new Error('nothing is held');
    return one;
  };
  const captures = async () => (await held()).rows.filter(({ kind }) => kind === 'capture').length;
  const aMonthLater = async () => {
    ahead += 32 * day;
    banks.stripe.passTime();
    await stub.sync();
  };
  return { ...banks, stub, id, settle, held, captures, aMonthLater };
}

test.each([true, false])(
  'resume: a cancellation, taken back: %s, and what is charged then',
  async (back) => {
    const { stub, id, settle, held, captures, aMonthLater } = await bought();
    await stub.cancelSubscription(id);
    await settle();
    expect((await held()).subscription.ends).toBe(true);
    if (back) {
      const resumed = async () => {
        const result: ResumeResult = await stub.resumeSubscription(id);
        return result.kind === 'resumed' && result.subscription.version;
      };
      const [first, second] = await Promise.all([resumed(), resumed()]);
      expect([first, second]).toEqual([expect.any(Number), first]);
      await settle();
      expect((await held()).subscription).toMatchObject({ ends: false, resumedAt: null });
    }
    await aMonthLater();
    expect(await captures()).toBe(back ? 2 : 1);
  },
);

test('resume: at Braintree a cancellation is final', async () => {
  const { stub, id, settle, captures, aMonthLater } = await bought('braintree');
  await stub.cancelSubscription(id);
  await settle();
  expect(await stub.resumeSubscription(id)).toEqual({ kind: 'refused', refusal: 'resume_over' });
  await aMonthLater();
  expect(await captures()).toBe(1);
});

test('resume: three times a day, which limits the e-mails', async () => {
  const { stub, id } = await bought();
  const post = await postBox(stub);
  for (let time = 0; time < 3; time += 1) {
    await stub.cancelSubscription(id);
    expect(await stub.resumeSubscription(id)).toHaveProperty('subscription');
  }
  for (let time = 0; time < 10; time += 1) {
    await stub.cancelSubscription(id);
    expect(await stub.resumeSubscription(id)).toEqual({
      kind: 'refused',
      refusal: 'too_many_resumptions',
    });
  }
  await settle(stub);
  expect(post.of('resumed')).toHaveLength(3);
  // Who cancels always gets the receipt.
  expect(post.of('cancelled')).toHaveLength(4);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + day });
  expect(await stub.resumeSubscription(id)).toHaveProperty('subscription');
});

test('resume: of any sequence over a bad line the last request counts', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const random = seeded(7);
  for (let run = 0; run < scaled(40); run++) {
    const { stub, id, settle, held, captures, aMonthLater } = await bought();
    const line = globalThis.fetch;
    const dead = { status: 500, headers: { 'stripe-should-retry': 'false' } };
    let last: 'cancelSubscription' | 'resumeSubscription' = 'cancelSubscription';
    for (let step = 0; step < 6; step++) {
      last = random() < 0.5 ? 'cancelSubscription' : 'resumeSubscription';
      await stub[last](id);
      if (random() < 0.4) vi.stubGlobal('fetch', async () => new Response('{}', dead));
      if (random() < 0.7) await settle();
      vi.stubGlobal('fetch', line);
    }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 });
    await settle();
    vi.useRealTimers();
    expect([run, (await held()).subscription.ends]).toEqual([run, last === 'cancelSubscription']);
    await aMonthLater();
    expect(await captures()).toBe(last === 'cancelSubscription' ? 1 : 2);
  }
});

test('guarantee: a claim is refunded once and reported as a claim', async () => {
  const { stub, id, settle, held, taken } = await bought();
  expect(await stub.withdraw(id)).toBeUndefined();
  await Promise.all([stub.claim([id]), stub.claim([id])]);
  await settle();
  expect((await held()).subscription).toMatchObject({ status: 'ended', ends: true });
  expect(taken()).toMatchObject([{ amount: 3999, refunded: 3999 }]);
});

test('subscription changes: an unknown subscription can not be changed', async () => {
  const { stub } = await bought();
  for (const wish of ['cancelSubscription', 'withdraw'] as const) {
    expect(await stub[wish]('nothing')).toBeUndefined();
  }
  expect(await stub.resumeSubscription('nothing')).toEqual({
    kind: 'refused',
    refusal: 'resume_over',
  });
});
