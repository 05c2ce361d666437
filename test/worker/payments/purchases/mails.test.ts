import { runInDurableObject } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { shownTerms } from '../attempt-fixture.ts';
import {
  buy,
  buyer,
  forgetIntros,
  known,
  open,
  openBank,
  postBox,
  settle,
} from '../payments-fixture.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const day = 24 * 60 * 60_000;
/** A buyer of a plan, with a queue that keeps the mails, at a bank whose clock is the test's. */
async function bought(plan = 'monthly_3d_eur') {
  const ahead = 0;
  const bank = openBank(undefined, undefined, { now: () => Date.now() + ahead });
  const { stub, purchase } = buyer({ plan, terms: shownTerms() });
  const box = await postBox(stub);
  const { id } = await buy(stub, purchase);
  await settle(stub);
  const later = (days: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * day });
    bank.passTime();
  };
  return { bank, stub, box, attempt: id, later, account: purchase.account };
}

test('e-mail: a purchase is confirmed once', async () => {
  const { stub, box, attempt, account } = await bought();
  for (let run = 0; run < 3; run++) await settle(stub);
  expect(box.sent).toEqual([
    {
      id: `bought:${attempt}`,
      template: 'bought',
      account,
      site: 'https://funnel.test',
      until: null,
      data: {
        plan: 'monthly_3d_eur',
        at: expect.any(Number),
        timeZone: 'Europe/Berlin',
        paid: 299,
        coupon: null,
        renews: expect.closeTo(Date.now() + 3 * day, -5),
        withdraw: expect.any(Number),
      },
    },
  ]);
});

test('e-mail: with the queue down the confirmation is sent later', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  openBank();
  const { stub, purchase } = buyer({ terms: shownTerms() });
  const box = await postBox(stub);
  box.refuses = true;
  await known(stub, await open(stub, purchase));
  await settle(stub);
  const due = await runInDurableObject(stub, (_, state) => state.storage.getAlarm());
  expect([box.sent, due === null]).toEqual([[], false]);
  box.refuses = false;
  await settle(stub);
  expect(box.letters()).toEqual(['bought']);
});

test('e-mail: an intro’s buyer is reminded once, the day before; not after a cancellation', async () => {
  const stays = await bought();
  await forgetIntros();
  const leaves = await bought();
  await leaves.stub.cancelSubscription(leaves.attempt);
  for (const { later } of [stays]) later(2.01);
  for (const { stub } of [stays, leaves]) {
    await settle(stub);
    await settle(stub);
  }
  expect(stays.box.letters()).toEqual(['bought', 'reminder']);
  expect(stays.box.of('reminder')).toMatchObject([{ id: `reminder:${stays.attempt}` }]);
  expect(leaves.box.letters()).toEqual(['bought', 'cancelled']);
});

test('e-mail: a plan without an intro has no reminder', async () => {
  const { stub, box, later } = await bought('monthly_eur');
  later(29.5);
  await settle(stub);
  expect(box.letters()).toEqual(['bought']);
});

test('e-mail: a cancellation has one receipt, also when repeated and the gateway is down', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { stub, box, attempt } = await bought();
  const working = globalThis.fetch;
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 500 }));
  const [first, second] = [
    await stub.cancelSubscription(attempt),
    await stub.cancelSubscription(attempt),
  ];
  await settle(stub);
  expect(first?.subscription.cancelAskedAt).toBe(second?.subscription.cancelAskedAt);
  expect(box.letters()).toEqual(['bought', 'cancelled']);
  vi.stubGlobal('fetch', working);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 });
  await settle(stub);
  expect((await stub.ownedSubscriptions())[0]?.subscription.ends).toBe(true);
  expect(box.letters()).toEqual(['bought', 'cancelled']);
});

test('e-mail: each refund has one receipt', async () => {
  const { stub, box } = await bought();
  const [held] = await stub.ownedSubscriptions();
  const payment = held?.rows[0]?.paymentId ?? '';
  await stub.refund(payment, 100, 'a');
  await stub.refund(payment, 100, 'a');
  await stub.refund(payment, 150, 'b');
  await stub.sync();
  await settle(stub);
  const backs = box.of('refunded').map(({ data }) => (data as { back: number }).back);
  expect(backs.sort()).toEqual([100, 150]);
});

test('withdrawal: the plan ends, everything is refunded once, and the owner gets an e-mail', async () => {
  const { bank, stub, box, attempt } = await bought();
  for (let time = 0; time < 2; time++) {
    expect((await stub.withdraw(attempt))?.subscription.withdrawnAt).toBeGreaterThan(0);
    await settle(stub);
  }
  expect(bank.captures()).toMatchObject([{ amount: 299, refunded: 299 }]);
  expect((await stub.ownedSubscriptions())[0]?.subscription).toMatchObject({ ends: true });
  expect(box.letters()).toEqual(['bought', 'withdrawn', 'refunded']);
});

test('withdrawal: with the gateway down it is refunded later, once', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { bank, stub, attempt } = await bought();
  const working = globalThis.fetch;
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 500 }));
  await stub.withdraw(attempt);
  await settle(stub);
  expect(bank.captures()).toMatchObject([{ refunded: 0 }]);
  vi.stubGlobal('fetch', working);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 });
  await settle(stub);
  await settle(stub);
  expect(bank.captures()).toMatchObject([{ refunded: 299 }]);
});

test('withdrawal: refused after the period and for another account’s purchase', async () => {
  const { stub, attempt, later } = await bought();
  expect(await stub.withdraw('nothing')).toBeUndefined();
  later(20);
  expect(await stub.withdraw(attempt)).toBeUndefined();
  await stub.sync();
});
