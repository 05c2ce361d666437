import { env, runInDurableObject } from 'cloudflare:test';
import type { SyncKvStorage } from '@cloudflare/workers-types';
import { beforeEach, expect, test } from 'vitest';
import type { LedgerRow } from '../../../../worker/payments/ledger/ledger-table.ts';
import { paymentCounts } from '../../../../worker/payments/ledger/payment-counts.ts';
import {
  accountOfPayment,
  accountOfSubscription,
  buyersAfter,
  copiesOf,
  payerOf,
} from '../../../../worker/payments/ledger/purchase-lookup.ts';
import {
  type Change,
  writeProjection,
} from '../../../../worker/payments/ledger/purchase-projection.ts';
import {
  applyOutcome,
  applyProgress,
  markFailed,
} from '../../../../worker/payments/purchase/attempt.ts';
import type { Attempt } from '../../../../worker/payments/purchase/state.ts';
import { PurchaseStorage } from '../../../../worker/payments/storage/purchase-storage.ts';
import { startSubscription } from '../../../../worker/payments/subscriptions/rules/subscription-changes.ts';
import { type AccountId, epochMs, minor, paymentIdOf } from '../../../../worker/platform/types.ts';
import {
  type AttemptChange,
  accountId,
  attempt as anAttempt,
  attemptId,
  captured,
  charge,
  movement,
} from '../attempts/attempt-fixture.ts';

const attempt = (id: string) => anAttempt({ id, pollingId: `poll-${id}` });

const refund = movement({ kind: 'refund', id: 're', paymentId: 'pi', amount: 500, at: 6 } as const);
const paid = (one: Attempt) =>
  applyOutcome(applyProgress(one, { sentAt: 1 }), { kind: 'active', charge }, 2);

/** Runs with the storage of a new account's object. */
function onLedger<T>(use: (storage: PurchaseStorage) => T, clock?: () => number): Promise<T> {
  return runInDurableObject(env.PURCHASES.getByName(crypto.randomUUID()), (_object, state) => {
    const { kv } = (state as unknown as { storage: { kv: SyncKvStorage } }).storage;
    const storage = new PurchaseStorage(kv, clock);
    storage.setProfile({ account: 'account' as AccountId, email: 'a@example.com', customers: {} });
    return use(storage);
  });
}

test('storage: a pending attempt occupies its slot and is found by its polling id', async () => {
  await onLedger((storage) => {
    storage.save(attempt('a'));
    expect(storage.attemptInSlot('main')?.id).toBe('a');
    expect(storage.attemptInSlot('upsell')).toBeUndefined();
    expect(storage.attemptByPollingId('poll-a')?.id).toBe('a');
    expect(storage.attemptByPollingId('poll-b')).toBeUndefined();
    expect(storage.pendingAttempts().map(({ id }) => id)).toEqual(['a']);
  });
});

test('storage: a failed attempt releases its slot, a paid one keeps it', async () => {
  await onLedger((storage) => {
    const first = attempt('a');
    storage.save(first);
    storage.save(markFailed(first));
    expect([storage.attemptInSlot('main'), storage.pendingAttempts()]).toEqual([undefined, []]);
    storage.save(paid(attempt('b')));
    expect(storage.attemptInSlot('main')?.state).toBe('active');
    expect(storage.pendingAttempts()).toEqual([]);
  });
});

test('storage: an attempt that fails late does not release a slot that another attempt occupies', async () => {
  await onLedger((storage) => {
    storage.save(attempt('b'));
    storage.save(markFailed(attempt('a')));
    expect(storage.attemptInSlot('main')?.id).toBe('b');
  });
});

test('storage: each movement is recorded once', async () => {
  await onLedger((storage) => {
    const one = paid(attempt('a'));
    storage.save(one);
    const { subscription, movements } = startSubscription(one, 5);
    storage.saveSubscription(subscription, movements);
    storage.saveSubscription({ ...subscription, version: 2 }, [...movements, refund]);
    const rows = storage.outbox
      .next()
      .flatMap(([, entry]) => (entry.kind === 'movement' ? [entry.row] : []));
    const whole = {
      attempt: 'a',
      account: 'account',
      currency: 'USD',
      paymentId: 'pi',
      gateway: 'stripe',
      experiment: 'e1',
      arm: 'fullPrice',
      arms: '',
    };
    expect(rows).toEqual([
      { ...whole, id: 'capture:pi', kind: 'capture', amount: 3999, at: 5 },
      { ...whole, id: 'refund:re', kind: 'refund', amount: 500, at: 6 },
    ]);
    expect(storage.rows()).toEqual(rows);
    const squares = storage.outbox
      .next()
      .flatMap(([, entry]) => (entry.kind === 'movement' ? [entry.squares] : []));
    expect(squares).toEqual([3999 ** 2, 3499 ** 2 - 3999 ** 2]);
  });
});

test('storage: a subscription that has ended releases its slot', async () => {
  await onLedger((storage) => {
    const one = paid(attempt('a'));
    storage.save(one);
    const { subscription, movements } = startSubscription(one, 5);
    storage.saveSubscription(subscription, movements);
    expect(storage.attemptInSlot('main')?.id).toBe('a');
    storage.saveSubscription({ ...subscription, status: 'ended' });
    expect(storage.attemptInSlot('main')).toBeUndefined();
    expect(storage.subscriptions()).toMatchObject([{ attempt: 'a', status: 'ended' }]);
  });
});

test('storage: a requested refund is stored by its key', async () => {
  await onLedger((storage) => {
    const requested = { amount: minor(500), sentAt: null };
    expect(storage.refunds.of('key')).toBeUndefined();
    storage.refunds.save('key', requested);
    expect([storage.refunds.of('key'), storage.refunds.of('other')]).toEqual([
      requested,
      undefined,
    ]);
    storage.refunds.delete('key');
    expect(storage.refunds.of('key')).toBeUndefined();
  });
});

test('storage: the outbox keeps its order and returns 50 entries at a time', async () => {
  let now = 0;
  await onLedger(
    (storage) => {
      let one = attempt('a');
      const order = Array.from({ length: 60 }, (_, i) => i + 1);
      for (const version of order) {
        one = { ...one, version };
        // Two at the same millisecond, and a time that gets one more digit.
        now = 99 + Math.floor(version / 2);
        storage.save(one);
      }
      const seen: number[] = [];
      for (let box = storage.outbox.next(); box.length > 0; box = storage.outbox.next()) {
        expect(box.length).toBeLessThanOrEqual(50);
        seen.push(
          ...box.map(([, entry]) => (entry.kind === 'attempt' ? entry.attempt.version : 0)),
        );
        storage.outbox.delete(box.map(([key]) => key));
      }
      expect(seen).toEqual(order);
    },
    () => now,
  );
});

const projected = (change: AttemptChange): Change => ({
  kind: 'attempt',
  account: accountId('account'),
  attempt: anAttempt({
    arm: 'intro/7d',
    state: 'sent',
    openedAt: 5,
    secret: 'pi_secret',
    ...change,
  }),
});

const money = (id: string, change: Partial<LedgerRow> = {}): Change => ({
  kind: 'movement',
  row: captured(id, change),
});

const purchase = (id: string) =>
  env.DB.prepare('SELECT * FROM attempts WHERE id = ?').bind(id).first();
const captures = async (id: string) =>
  (await env.DB.prepare('SELECT * FROM ledger WHERE attempt_id = ?').bind(id).all()).results;

test('storage: an attempt’s row has nothing that could be used to pay', async () => {
  await writeProjection(env.DB, [projected({ id: 'row' })]);
  const row = await purchase('row');
  expect(row).toMatchObject({
    account_id: 'account',
    slot: 'main',
    plan: 'monthly_usd',
    experiment: 'e1',
    arm: 'intro/7d',
    state: 'sent',
    subscription_id: null,
    opened_at: 5,
    version: 1,
  });
  expect(JSON.stringify(row)).not.toMatch(/pm_card|secret/);
});

test('storage: changes written in any order and number leave the newest', async () => {
  const changes = [
    projected({ id: 'order', version: 3, state: 'active', charge }),
    projected({ id: 'order', version: 1, state: 'open' }),
    projected({ id: 'order', version: 2, state: 'sent' }),
  ];
  for (const change of changes) await writeProjection(env.DB, [change]);
  await writeProjection(env.DB, changes.toReversed());
  const newest = { state: 'active', version: 3, subscription_id: 'sub' };
  expect(await purchase('order')).toMatchObject(newest);
});

test('storage: an attempt that another gateway took over is stored with that gateway', async () => {
  await writeProjection(env.DB, [projected({ id: 'over', version: 1 })]);
  expect(await purchase('over')).toMatchObject({ gateway: 'stripe' });
  await writeProjection(env.DB, [projected({ id: 'over', version: 2, gateway: 'braintree' })]);
  expect(await purchase('over')).toMatchObject({ gateway: 'braintree' });
});

test('storage: a money movement is written once and never changed', async () => {
  await writeProjection(env.DB, [money('once'), money('once')]);
  await writeProjection(env.DB, [money('once', { amount: minor(1) })]);
  expect(await captures('once')).toMatchObject([
    { amount: 3999, currency: 'USD', experiment: 'e1', arm: 'intro/7d', occurred_at: 7 },
  ]);
});

test('storage: a batch is written completely or not at all', async () => {
  const broken = money('whole', { currency: null as unknown as string });
  await expect(writeProjection(env.DB, [projected({ id: 'whole' }), broken])).rejects.toThrow();
  expect(await purchase('whole')).toBeNull();
});

const withoutIds = {
  gateway: 'stripe',
  attempt: null,
  customerId: null,
  subscriptionId: null,
  paymentId: null,
} as const;

/** An account's purchase in D1; every id contains the account's name. */
async function buyPlan(account: AccountId) {
  const paymentId = paymentIdOf(`pi_${account}`);
  const ids = { subscriptionId: `sub_${account}`, paymentId, customerId: `cus_${account}` };
  const one = anAttempt({ id: `a_${account}`, state: 'active', charge: { ...charge, ...ids } });
  const { subscription } = startSubscription(one, 5);
  const about = {
    attempt: one.id,
    account,
    currency: 'USD',
    paymentId,
    at: epochMs(5),
  };
  const whose = { gateway: 'stripe', experiment: null, arm: 'a' } as const;
  const capture = { ...about, ...whose, id: `capture:pi_${account}`, kind: 'capture' } as const;
  const refund = { ...about, ...whose, id: `refund:re_${account}`, kind: 'refund' } as const;
  await writeProjection(env.DB, [
    { kind: 'attempt', attempt: one, account },
    { kind: 'subscription', subscription, account },
    { kind: 'movement', row: { ...capture, amount: minor(3999) } },
    { kind: 'movement', row: { ...refund, amount: minor(100) } },
  ]);
}

beforeEach(async () => {
  const empty = ['attempts', 'subscriptions', 'ledger'].map((table) =>
    env.DB.prepare(`DELETE FROM ${table}`),
  );
  await env.DB.batch(empty);
  await buyPlan(accountId('ann'));
  await buyPlan(accountId('bob'));
});

test.each([
  ['attempt', 'a_bob'],
  ['customerId', 'cus_bob'],
  ['subscriptionId', 'sub_bob'],
  ['paymentId', 'pi_bob'],
] as const)('webhook lookup: an account is found by its %s', async (name, value) => {
  expect(await accountOfPayment(env.DB, { ...withoutIds, [name]: value })).toBe('bob');
  expect(await accountOfPayment(env.DB, { ...withoutIds, [name]: `${value}x` })).toBeNull();
});

test('webhook lookup: ids of one gateway are unknown at the other, and an event without ids has no account', async () => {
  const elsewhere = { ...withoutIds, gateway: 'braintree' } as const;
  expect(await accountOfPayment(env.DB, { ...elsewhere, customerId: 'cus_bob' })).toBeNull();
  expect(await accountOfPayment(env.DB, withoutIds)).toBeNull();
});

test('lookup: the payer of a payment and the owner of a subscription', async () => {
  expect(await payerOf(env.DB, paymentIdOf('pi_ann'))).toBe('ann');
  expect(await payerOf(env.DB, paymentIdOf('re_ann'))).toBeNull();
  expect(await accountOfSubscription(env.DB, attemptId('a_ann'))).toBe('ann');
  expect(await accountOfSubscription(env.DB, attemptId('a_eve'))).toBeNull();
});

test('lookup: buyers in the order of their ids, each once, also with ledger rows only', async () => {
  await env.DB.prepare(`DELETE FROM attempts WHERE account_id = 'bob'`).run();
  expect(await buyersAfter(env.DB, '', 10)).toEqual(['ann', 'bob']);
  expect(await buyersAfter(env.DB, '', 1)).toEqual(['ann']);
  expect(await buyersAfter(env.DB, 'ann', 10)).toEqual(['bob']);
  expect(await buyersAfter(env.DB, 'bob', 10)).toEqual([]);
});

test('lookup: the ledger copies of the requested accounts', async () => {
  const copies = await copiesOf(env.DB, ['bob', 'eve'].map(accountId));
  const whose = { account: 'bob', attempt: 'a_bob', gateway: 'stripe', currency: 'USD' };
  expect(copies).toEqual([
    { ...whose, id: 'capture:pi_bob', amount: 3999 },
    { ...whose, id: 'refund:re_bob', amount: 100 },
  ]);
  expect(await copiesOf(env.DB, [])).toEqual([]);
});

test('storage: an order counts for each of its experiments too, and so do its later payments', async () => {
  await onLedger((storage) => {
    const one = paid(attempt('a'));
    storage.save({ ...one, arms: 'headline:b,theme:control' });
    const { subscription, movements } = startSubscription(one, 5);
    storage.saveSubscription(subscription, [...movements, refund] as typeof movements);
    const entries = storage.outbox.next().map(([key, entry]) => ({ key, entry }));
    const counted = paymentCounts(storage, entries).map(({ step, slice, payment }) => [
      ...[step, slice.experiment, slice.variant, payment?.amount, payment?.squares],
    ]);
    const more = ['headline', 'theme'].map((name) => [name, name === 'theme' ? 'control' : 'b']);
    const before = one.experiment ?? '';
    expect(counted).toEqual(
      [
        ['purchase', 3999, 0],
        ['capture', 3999, 3999 ** 2],
        ['refund', 500, 3499 ** 2 - 3999 ** 2],
      ].flatMap(([step, ...rest]) => [
        [step, before, one.arm, ...rest],
        ...more.map((arm) => [`test:${step}`, ...arm, ...rest]),
      ]),
    );
    const ledger = entries.flatMap(({ entry }) =>
      entry.kind === 'movement' ? [entry.row.arms] : [],
    );
    expect(ledger).toEqual(['headline:b,theme:control', 'headline:b,theme:control']);
  });
});

test('storage: an order of an older build has no experiment beside the split', async () => {
  const older = captured('older', {});
  await writeProjection(env.DB, [
    { kind: 'movement', row: { ...older, arms: undefined } },
    projected({ id: 'newer', arms: 'headline:b' }),
  ]);
  expect(await captures('older')).toMatchObject([{ arms: '' }]);
  expect(await purchase('newer')).toMatchObject({ arms: 'headline:b' });
});

test('storage: the money of a renewal is counted apart from the first payment', async () => {
  await onLedger((storage) => {
    const one = paid(attempt('a'));
    storage.save(one);
    const { subscription, movements } = startSubscription(one, 5);
    const renewal = { ...movements[0], id: 'pi2', paymentId: paymentIdOf('pi2'), at: epochMs(9) };
    const back = { ...refund, id: 're2', paymentId: paymentIdOf('pi2'), at: epochMs(10) };
    const all = [...movements, renewal, refund, back] as typeof movements;
    storage.saveSubscription(subscription, all);
    const entries = storage.outbox.next().map(([key, entry]) => ({ key, entry }));
    const counted = paymentCounts(storage, entries).filter(({ step }) => step !== 'purchase');
    expect(counted.map(({ step, payment }) => [step, payment?.reason, payment?.squares])).toEqual([
      ['capture', '', 3999 ** 2],
      ['capture', 'renewal', 3999 ** 2],
      ['refund', '', 3499 ** 2 - 3999 ** 2],
      ['refund', 'renewal', 3499 ** 2 - 3999 ** 2],
    ]);
  });
});
