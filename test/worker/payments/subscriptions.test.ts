import { runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { listOwned, type OwnedSubscription } from '../../../worker/payments/cancel-resume.ts';
import type { PurchaseStorage } from '../../../worker/payments/purchase-storage.ts';
import type { Purchases } from '../../../worker/payments/purchases-object.ts';
import type { Reconciliation } from '../../../worker/payments/reconciliation.ts';
import { startSubscription } from '../../../worker/payments/rules/subscription.ts';
import { minor, paymentIdOf } from '../../../worker/types.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { attempt, shownTerms } from './attempt-fixture.ts';
import { buy, buyer, listen, openBank, quietly } from './payments-fixture.ts';
import { type Driven, drive } from './purchases/driven-object.ts';

quietly();

const minute = 60_000;

/** A monthly purchase, at a bank whose clock is the test's. */
async function bought(plan = 'monthly_usd') {
  let ahead = 0;
  const bank = openBank(undefined, undefined, { now: () => Date.now() + ahead });
  const { stub, purchase } = buyer({ plan, terms: shownTerms() });
  const { id } = await buy(stub, purchase);
  const first = (held: OwnedSubscription[]) => {
    const [one] = held;
    if (!one) throw new Error('nothing is held');
    return one;
  };
  return {
    bank,
    stub,
    attempt: id,
    held: async () => first(await stub.ownedSubscriptions()),
    later: (days: number) => {
      ahead += days * 24 * 60 * 60_000;
      bank.passTime();
    },
    settle: () => runInDurableObject(stub, (object: Purchases) => object.alarm()),
  };
}

const moved = ({ rows }: OwnedSubscription) => rows.map(({ kind, amount }) => [kind, amount]);

test('subscriptions: an active attempt has a subscription at once', async () => {
  const { held, attempt } = await bought();
  const one = await held();
  expect(one.subscription).toMatchObject({
    attempt,
    status: 'active',
    ends: false,
    gateway: 'stripe',
  });
  expect([one.plan.id, moved(one)]).toEqual(['monthly_usd', [['capture', 3999]]]);
});

test('subscriptions: each renewal is recorded once', async () => {
  const { stub, held, later } = await bought();
  later(70);
  await Promise.all([stub.sync(), stub.sync()]);
  await stub.sync();
  expect(moved(await held())).toEqual(Array(3).fill(['capture', 3999]));
});

test('subscriptions: a cancelled one ends after the paid period and releases its slot', async () => {
  const { stub, attempt, held, later, settle } = await bought();
  expect((await stub.cancelSubscription(attempt))?.subscription.cancelAskedAt).toBeGreaterThan(0);
  await settle();
  expect((await held()).subscription).toMatchObject({ status: 'active', ends: true });
  expect(await stub.hasActiveMainPlan()).toBe(true);
  later(40);
  await stub.sync();
  expect((await held()).subscription).toMatchObject({ status: 'ended' });
  expect([moved(await held()), await stub.hasActiveMainPlan()]).toEqual([
    [['capture', 3999]],
    false,
  ]);
});

test('subscriptions: a cancellation is retried while the gateway does not answer', async () => {
  const { stub, attempt, held, settle } = await bought();
  const working = globalThis.fetch;
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 500 }));
  await stub.cancelSubscription(attempt);
  await settle();
  const waiting = (await held()).subscription;
  expect(waiting.ends).toBe(false);
  expect(waiting.dueAt).toBeGreaterThan(waiting.cancelAskedAt ?? 0);
  vi.stubGlobal('fetch', working);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 });
  await settle();
  expect((await held()).subscription.ends).toBe(true);
});

test('refund: once for a key, and never more than remains', async () => {
  const { bank, stub, held } = await bought();
  const [row] = (await held()).rows;
  const payment = row?.paymentId ?? paymentIdOf('');
  expect(await stub.refund(payment, minor(1000), 'a')).toEqual({ kind: 'refunded', amount: 1000 });
  expect(await stub.refund(payment, minor(1000), 'a')).toEqual({ kind: 'refunded', amount: 1000 });
  expect(await stub.refund(payment, minor(3000), 'b')).toEqual({
    kind: 'refused',
    refusal: 'refund_too_large',
  });
  expect(await stub.refund(payment, minor(0), 'c')).toEqual({
    kind: 'refused',
    refusal: 'refund_too_large',
  });
  expect(await stub.refund(payment, null, 'd')).toEqual({ kind: 'refunded', amount: 2999 });
  expect(await stub.refund(paymentIdOf('pi_other'), minor(1), 'e')).toEqual({
    kind: 'refused',
    refusal: 'payment_unknown',
  });
  const [capture, ...refunds] = moved(await held());
  expect(capture).toEqual(['capture', 3999]);
  expect(refunds.map(([, amount]) => amount).sort()).toEqual([1000, 2999]);
  expect(bank.captures()).toMatchObject([{ amount: 3999, refunded: 3999 }]);
});

test('refund: a repeated call after a lost reply is the same refund', async () => {
  const { bank, stub, held } = await bought();
  const [row] = (await held()).rows;
  const working = globalThis.fetch;
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const answer = await working(input, init);
    if (bank.captures()[0]?.refunded) throw new TypeError('connection lost');
    return answer;
  });
  const lost = await stub.refund(row?.paymentId ?? paymentIdOf(''), null, 'a');
  expect([lost, await stub.sync()]).toEqual([
    { kind: 'refused', refusal: 'gateway_ambiguous' },
    false,
  ]);
  vi.stubGlobal('fetch', working);
  expect(await stub.refund(row?.paymentId ?? paymentIdOf(''), null, 'a')).toEqual({
    kind: 'refunded',
    amount: 3999,
  });
  expect(bank.captures()).toMatchObject([{ refunded: 3999 }]);
});

/** Answers refunds in the bank's stead, until `open`. */
function shutRefunds(answer: () => Response | Promise<Response>) {
  const working = globalThis.fetch;
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const { method, url } = new Request(input, init);
    const refund = method === 'POST' && new URL(url).pathname === '/v1/refunds';
    return refund ? answer() : working(input, init);
  });
  return { open: () => vi.stubGlobal('fetch', working) };
}

test('withdrawal: a statement read before the refund does not stop it', async () => {
  const { bank, stub, attempt, held, settle } = await bought();
  const line = shutRefunds(() => new Response('', { status: 401 }));
  await stub.withdraw(attempt);
  const dueAt = async () => (await held()).subscription.dueAt ?? Number.POSITIVE_INFINITY;
  // The job has tried and will again; then a message comes, and all is read anew.
  await vi.waitFor(async () => expect(await dueAt()).toBeGreaterThan(Date.now()), pollTimeout);
  await stub.sync();
  line.open();
  expect((await dueAt()) - Date.now()).toBeLessThanOrEqual(minute);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minute });
  await settle();
  expect(bank.captures()).toMatchObject([{ amount: 3999, refunded: 3999 }]);
  expect((await held()).subscription).toMatchObject({ status: 'ended', ends: true });
});

test('withdrawal: a crash before the refund delays it by a minute', async () => {
  // What the dead object still waits for never ends.
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  let driven: Driven | undefined;
  let crashes = 0;
  const bank = openBank(undefined, (next) => async (input, init) => {
    const { method, url } = new Request(input, init);
    if (crashes > 0 || method !== 'POST' || !url.endsWith('/v1/refunds')) return next(input, init);
    crashes += 1;
    driven?.restart();
    return new Promise(() => {});
  });
  const { stub, purchase } = buyer({ terms: shownTerms() });
  await drive(stub, async (started) => {
    driven = started;
    const { id } = await started.buy(purchase);
    await started.run((object) => object.withdraw(id));
    await started.rest();
  });
  expect([crashes, bank.captures()]).toMatchObject([1, [{ refunded: 3999 }]]);
});

test('withdrawal: a refused refund is retried after an hour', async () => {
  const said = listen();
  const { bank, stub, attempt, held, settle } = await bought();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const error = { type: 'invalid_request_error', code: 'charge_disputed', message: 'no' };
  const line = shutRefunds(() => Response.json({ error }, { status: 400 }));
  await stub.withdraw(attempt);
  await settle();
  expect(said()).toContain('withdrawal_refused');
  expect((await held()).subscription.dueAt).toBe(Date.now() + 60 * minute);
  line.open();
  vi.setSystemTime(Date.now() + 60 * minute);
  await settle();
  expect(bank.captures()).toMatchObject([{ refunded: 3999 }]);
});

test('refund: a refund that failed later is reversed and can be made again', async () => {
  const said = listen();
  const { bank, stub, held } = await bought();
  const payment = (await held()).rows[0]?.paymentId ?? paymentIdOf('');
  await stub.refund(payment, minor(1000), 'a');
  const [refund] = Object.keys(bank.state.refunds);
  bank.failRefund(refund ?? '');
  await stub.sync();
  await stub.sync();
  expect(moved(await held())).toEqual([['capture', 3999]]);
  expect(said().filter((event) => event === 'ledger_corrected')).toHaveLength(1);
  const { lines } = (await stub.compare()) as Reconciliation;
  expect(lines.map(({ ledger, provider }) => [ledger, provider])).toEqual([[3999, 3999]]);
  expect(await stub.refund(payment, null, 'b')).toEqual({ kind: 'refunded', amount: 3999 });
  expect((await held()).subscription).toMatchObject({ status: 'ended', ends: false });
});

test('withdrawal: a refund that failed later is made again', async () => {
  const { bank, stub, attempt, held, settle } = await bought();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  await stub.withdraw(attempt);
  await settle();
  const [refund] = Object.keys(bank.state.refunds);
  bank.failRefund(refund ?? '');
  await stub.sync();
  expect(moved(await held())).toEqual([['capture', 3999]]);
  vi.setSystemTime(Date.now() + 2 * minute);
  await settle();
  expect(bank.captures()).toMatchObject([{ refunded: 3999 }]);
  expect(Object.keys(bank.state.refunds)).toHaveLength(2);
});

const charge = {
  subscriptionId: 'sub',
  paymentId: 'pi',
  customerId: 'cus',
  methodId: 'pm',
  amount: 3999,
  currency: 'USD',
} as const;

test('owned subscriptions: each has its plan and its own net money', () => {
  const { subscription } = startSubscription(attempt({ id: 'a', state: 'active', charge }), 1);
  const upsell = { ...subscription, attempt: 'b', plan: 'upsell_monthly_799_usd' } as const;
  const row = (of: string, id: string, amount: number) => ({ attempt: of, id, amount });
  const rows = [
    row('a', 'capture:1', 3999),
    row('b', 'capture:2', 799),
    row('a', 'refund:3', 500),
    // One that failed later moved no money.
    row('a', 'refund:4', 500),
    row('a', 'refund:4#2', -500),
  ];
  const held = listOwned({
    subscriptions: () => [subscription, upsell],
    rows: () => rows,
    attempt: () => undefined,
  } as unknown as PurchaseStorage);
  expect(held.map(({ plan, rows: own }) => [plan.today, own.length])).toEqual([
    [3999, 2],
    [799, 1],
  ]);
});
