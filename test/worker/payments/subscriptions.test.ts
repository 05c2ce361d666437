import { expect, test, vi } from 'vitest';
import {
  listOwned,
  type OwnedSubscription,
  type ResumeResult,
} from '../../../worker/payments/cancel-resume.ts';
import type { PurchaseStorage } from '../../../worker/payments/purchase-storage.ts';
import type { Reconciliation } from '../../../worker/payments/reconciliation.ts';
import { startSubscription } from '../../../worker/payments/rules/subscription-changes.ts';
import { minor, paymentIdOf } from '../../../worker/types.ts';
import { attempt, charge } from './attempt-fixture.ts';
import {
  captureLogEvents,
  dayMs,
  hourMs,
  minuteMs,
  owner,
  remainingAmounts,
  scaled,
  seeded,
} from './payments-fixture.ts';

const moved = ({ rows }: OwnedSubscription) => rows.map(({ kind, amount }) => [kind, amount]);

/** The owner of a monthly plan, and its payment. */
async function payer(change: Parameters<typeof owner>[0] = {}) {
  const account = await owner(change);
  const id = account.attempt.id;
  const payment = account.attempt.charge?.paymentId ?? paymentIdOf('');
  const captures = async () =>
    (await account.owned()).rows.filter(({ kind }) => kind === 'capture').length;
  const aMonthLater = async () => {
    account.later(32);
    await account.stub.sync();
  };
  return { ...account, id, payment, captures, aMonthLater };
}

test('refund: once for a key, and never more than remains', async () => {
  const { banks, stub, owned, payment } = await payer();
  const refunds = [
    ['a', minor(1000), { kind: 'refunded', amount: 1000, currency: 'USD', remaining: 2999 }],
    ['a', minor(1000), { kind: 'refunded', amount: 1000, currency: 'USD', remaining: 2999 }],
    ['b', minor(3000), { kind: 'refused', refusal: 'refund_too_large' }],
    ['c', minor(0), { kind: 'refused', refusal: 'refund_too_large' }],
    ['d', null, { kind: 'refunded', amount: 2999, currency: 'USD', remaining: 0 }],
  ] as const;
  for (const [key, amount, result] of refunds) {
    expect(await stub.refund(payment, amount, key)).toEqual(result);
  }
  expect(await stub.refund(paymentIdOf('pi_other'), minor(1), 'e')).toEqual({
    kind: 'refused',
    refusal: 'payment_unknown',
  });
  const [capture, ...rest] = moved(await owned());
  expect(capture).toEqual(['capture', 3999]);
  expect(rest.map(([, amount]) => amount).sort()).toEqual([1000, 2999]);
  expect(remainingAmounts(banks.taken())).toEqual([0]);
});

test('refund: a repeated call after a lost reply is the same refund', async () => {
  const { banks, stub, payment } = await payer();
  const working = globalThis.fetch;
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const answer = await working(input, init);
    if (banks.taken()[0]?.refunded) throw new TypeError('connection lost');
    return answer;
  });
  const lost = await stub.refund(payment, null, 'a');
  expect(lost).toEqual({ kind: 'refused', refusal: 'gateway_ambiguous' });
  expect(await stub.sync()).toBe(false);
  vi.stubGlobal('fetch', working);
  expect(await stub.refund(payment, null, 'a')).toMatchObject({ kind: 'refunded', amount: 3999 });
  expect(remainingAmounts(banks.taken())).toEqual([0]);
});

/** Responds to refunds in place of the gateway, until `open`. */
function shutRefunds(answer: () => Response) {
  const working = globalThis.fetch;
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const { method, url } = new Request(input, init);
    const refund = method === 'POST' && new URL(url).pathname === '/v1/refunds';
    return refund ? answer() : working(input, init);
  });
  return { open: () => vi.stubGlobal('fetch', working) };
}

test('withdrawal: a statement read before the refund does not stop it', async () => {
  const { banks, stub, id, owned, settle, wait } = await payer();
  const line = shutRefunds(() => new Response('', { status: 401 }));
  await stub.withdraw(id);
  await settle();
  // The alarm has failed and will retry; then a webhook arrives, and everything is read again.
  await stub.sync();
  line.open();
  const { dueAt } = (await owned()).subscription;
  expect([(dueAt ?? 0) > Date.now(), (dueAt ?? 0) - Date.now() <= minuteMs]).toEqual([true, true]);
  wait(minuteMs);
  await settle();
  expect(remainingAmounts(banks.taken())).toEqual([0]);
  expect((await owned()).subscription).toMatchObject({ status: 'ended', ends: true });
});

test('withdrawal: a refused refund is retried after an hour', async () => {
  const said = captureLogEvents();
  const { banks, stub, id, owned, settle, wait } = await payer();
  const error = { type: 'invalid_request_error', code: 'charge_disputed', message: 'no' };
  const line = shutRefunds(() => Response.json({ error }, { status: 400 }));
  await stub.withdraw(id);
  await settle();
  expect(said()).toContain('withdrawal_refused');
  expect((await owned()).subscription.dueAt).toBe(Date.now() + hourMs);
  line.open();
  wait(hourMs);
  await settle();
  expect(remainingAmounts(banks.taken())).toEqual([0]);
});

test('refund: a refund that failed later is reversed and can be made again', async () => {
  const said = captureLogEvents();
  const { banks, stub, owned, payment } = await payer();
  await stub.refund(payment, minor(1000), 'a');
  const [refund = ''] = Object.keys(banks.stripe.state.refunds);
  banks.stripe.failRefund(refund);
  await stub.sync();
  await stub.sync();
  expect(moved(await owned())).toEqual([['capture', 3999]]);
  expect(said().filter((event) => event === 'ledger_corrected')).toHaveLength(1);
  const { lines } = (await stub.compare()) as Reconciliation;
  expect(lines.map(({ ledger, provider }) => [ledger, provider])).toEqual([[3999, 3999]]);
  expect(await stub.refund(payment, null, 'b')).toMatchObject({ kind: 'refunded', amount: 3999 });
  expect((await owned()).subscription).toMatchObject({ status: 'ended', ends: false });
});

test('withdrawal: a refund that failed later is made again', async () => {
  const { banks, stub, id, owned, settle, wait } = await payer();
  await stub.withdraw(id);
  await settle();
  const { refunds } = banks.stripe.state;
  banks.stripe.failRefund(Object.keys(refunds)[0] ?? '');
  await stub.sync();
  expect(moved(await owned())).toEqual([['capture', 3999]]);
  wait(2 * minuteMs);
  await settle();
  expect([remainingAmounts(banks.taken()), Object.keys(refunds).length]).toEqual([[0], 2]);
});

test('owned subscriptions: each has its plan and its own net money', () => {
  const { subscription } = startSubscription(attempt({ id: 'a', state: 'active', charge }), 1);
  const upsell = { ...subscription, attempt: 'b', plan: 'upsell_monthly_799_usd' } as const;
  const row = (of: string, id: string, amount: number) => ({ attempt: of, id, amount });
  const rows = [
    row('a', 'capture:1', 3999),
    row('b', 'capture:2', 799),
    row('a', 'refund:3', 500),
    // A refund that failed later moved no money.
    row('a', 'refund:4', 500),
    row('a', 'refund:4#2', -500),
  ];
  const owned = listOwned({
    subscriptions: () => [subscription, upsell],
    rows: () => rows,
    attempt: () => undefined,
  } as unknown as PurchaseStorage);
  expect(owned.map(({ plan, rows: own }) => [plan.today, own.length])).toEqual([
    [3999, 2],
    [799, 1],
  ]);
});

test.each([true, false])('resume: a cancellation is undone: %s, and the charge', async (back) => {
  const { stub, id, settle, owned, captures, aMonthLater } = await payer();
  await stub.cancelSubscription(id);
  await settle();
  expect((await owned()).subscription.ends).toBe(true);
  if (back) {
    const resumed = async () => {
      const result: ResumeResult = await stub.resumeSubscription(id);
      return result.kind === 'resumed' && result.subscription.version;
    };
    const [first, second] = await Promise.all([resumed(), resumed()]);
    expect([first, second]).toEqual([expect.any(Number), first]);
    await settle();
    expect((await owned()).subscription).toMatchObject({ ends: false, resumedAt: null });
  }
  await aMonthLater();
  expect(await captures()).toBe(back ? 2 : 1);
});

test('resume: at Braintree a new subscription begins where the cancelled one would have renewed', async () => {
  const { banks, stub, id, box, settle, owned, captures, aMonthLater } = await payer({
    gateway: 'braintree',
  });
  await stub.cancelSubscription(id);
  await settle();
  expect(await stub.resumeSubscription(id)).toHaveProperty('subscription');
  await settle();
  expect((await owned()).subscription).toMatchObject({ ends: false, resumedAt: null });
  const states = Object.values(banks.braintree.state.subscriptions).map(({ status }) => status);
  expect(states).toEqual(['Canceled', 'Pending']);
  await aMonthLater();
  expect(await captures()).toBe(2);
  expect(box.templates().filter((letter) => letter === 'resumed')).toHaveLength(1);
  expect(box.of('plan_changed')).toEqual([]);
});

test('resume: allowed three times a day, which limits the e-mails', async () => {
  const { stub, id, box, settle, wait } = await payer();
  const tooMany = { kind: 'refused', refusal: 'too_many_resumptions' };
  for (let time = 0; time < 13; time += 1) {
    await stub.cancelSubscription(id);
    const result = await stub.resumeSubscription(id);
    if (time < 3) expect(result).toHaveProperty('subscription');
    else expect(result).toEqual(tooMany);
  }
  await settle();
  expect(box.of('resumed')).toHaveLength(3);
  // Every cancellation has a receipt.
  expect(box.of('cancelled')).toHaveLength(4);
  wait(dayMs);
  expect(await stub.resumeSubscription(id)).toHaveProperty('subscription');
});

test('resume: of any sequence over an unreliable connection the last request counts', async () => {
  const random = seeded(7);
  for (let run = 0; run < scaled(40); run++) {
    const { stub, id, settle, owned, captures, aMonthLater, wait } = await payer();
    const line = globalThis.fetch;
    const dead = { status: 500, headers: { 'stripe-should-retry': 'false' } };
    let last: 'cancelSubscription' | 'resumeSubscription' = 'cancelSubscription';
    for (let step = 0; step < 6; step++) {
      last = random() < 0.5 ? 'cancelSubscription' : 'resumeSubscription';
      wait(1000);
      await stub[last](id);
      if (random() < 0.4) vi.stubGlobal('fetch', async () => new Response('{}', dead));
      if (random() < 0.7) await settle();
      vi.stubGlobal('fetch', line);
    }
    wait(10 * minuteMs);
    await settle();
    expect([run, (await owned()).subscription.ends]).toEqual([run, last === 'cancelSubscription']);
    await aMonthLater();
    expect(await captures()).toBe(last === 'cancelSubscription' ? 1 : 2);
  }
});
