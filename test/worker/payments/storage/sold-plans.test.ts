import { runInDurableObject } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import type { PlanId } from '../../../../worker/catalog/rules/plans.ts';
import { rowOf } from '../../../../worker/payments/ledger/purchase-projection.ts';
import { receiptViews } from '../../../../worker/payments/notices/receipt.ts';
import type { PlanChange } from '../../../../worker/payments/purchase/change-state.ts';
import type { Subscription } from '../../../../worker/payments/purchase/state.ts';
import type { Purchases } from '../../../../worker/payments/purchases-object.ts';
import { isMessage } from '../../../../worker/payments/storage/outbox.ts';
import { PurchaseStorage } from '../../../../worker/payments/storage/purchase-storage.ts';
import { ChangeStorage } from '../../../../worker/payments/subscriptions/change-storage.ts';
import {
  receivedPurchase,
  sentPurchase,
} from '../../../../worker/payments/subscriptions/owned-subscription.ts';
import { subscriptionView } from '../../../../worker/payments/subscriptions/rules/purchase-view.ts';
import { startSubscription } from '../../../../worker/payments/subscriptions/rules/subscription-changes.ts';
import { epochMs, minor } from '../../../../worker/platform/types.ts';
import { approved } from '../../../fakes/test-nonces.ts';
import { memoryKv } from '../../memory-kv.ts';
import { accountId, attempt, charge, planNamed, shownTerms } from '../attempts/attempt-fixture.ts';
import { driveObject } from '../attempts/driven-object.ts';
import { buyer, captureLogEvents, dayMs, gateways, stubGateways } from '../payments-fixture.ts';
import { buyPlan, makeChange, ownedIn, runAlarmsUntil } from '../subscriptions/change-helpers.ts';

const start = Date.UTC(2027, 0, 15, 12);

/** The built-in price of a plan, as a later build could state it. */
const reprice = (id: PlanId, price: number) =>
  void Object.assign(planNamed(id), { price: minor(price), today: minor(price) });

afterEach(() => {
  reprice('monthly_usd', 3999);
  reprice('quarterly_usd', 5999);
});

function buyerAt(gateway: (typeof gateways)[number]) {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  stubGateways();
  return buyer({ gateway, nonce: approved[gateway], terms: shownTerms() });
}

test.each(gateways)(
  'sold plans: at %s a purchase renews, pauses, is changed, refunded and receipted on the terms on which it was sold',
  async (gateway) => {
    const { stub, purchase } = buyerAt(gateway);
    await driveObject(stub, async (driven) => {
      const id = await buyPlan(driven, purchase);
      reprice('monthly_usd', 4999);
      reprice('quarterly_usd', 7999);
      await runAlarmsUntil(driven, Date.UTC(2027, 1, 20));
      const pause = await makeChange(driven, id, { kind: 'pause', months: 1 });
      expect(pause).toMatchObject({ state: 'done', plan: 'monthly_usd', next: { amount: 3999 } });
      await runAlarmsUntil(driven, Date.UTC(2027, 3, 20));
      expect(ownedIn(driven).amounts).toEqual([3999, 3999, 3999]);
      // Another plan is sold on the terms of that day, which are its own from then on.
      const upgrade = await makeChange(driven, id, { kind: 'upgrade', plan: 'quarterly_usd' });
      expect(upgrade).toMatchObject({ state: 'done', next: { amount: 7999 } });
      expect(upgrade.amount + upgrade.credit).toBe(7999);
      reprice('quarterly_usd', 9999);
      await runAlarmsUntil(driven, Date.UTC(2027, 7, 1));
      const paid = [3999, 3999, 3999, upgrade.amount, 7999];
      expect(ownedIn(driven).amounts).toEqual(paid);
      const [owned] = driven.object().ownedSubscriptions().map(receivedPurchase);
      if (!owned) throw new Error('nothing bought');
      const receipts = receiptViews(owned).reverse();
      expect(receipts.map(({ amount }) => amount)).toEqual(paid);
      expect(receipts.map(({ period }) => period)).toEqual([
        ...['month', 'month', 'month', 'quarter', 'quarter'],
      ]);
      expect(subscriptionView(owned, Date.now())).toMatchObject({
        price: 7999,
        next: { amount: 7999 },
      });
      const { id: payment } = receipts.at(-1) ?? {};
      const refund = await driven.run((object) => object.refund(payment as never, null, 'key'));
      expect(refund).toMatchObject({ kind: 'refunded', amount: 7999, currency: 'USD' });
    });
  },
);

/** The object's storage as the build before this one left it: without plans. */
const forgetPlans = (stub: ReturnType<typeof buyer>['stub']) =>
  runInDurableObject(stub, (_: Purchases, { storage: { kv } }) => {
    const keys = [...kv.list({ prefix: 'plan:' })].map(([key]) => key);
    for (const key of keys) kv.delete(key);
    return keys;
  });

test.each(gateways)(
  'sold plans: at %s a subscription that a build without stored plans left renews, changes and is refunded',
  async (gateway) => {
    const { stub, purchase } = buyerAt(gateway);
    await driveObject(stub, async (driven) => {
      const id = await buyPlan(driven, purchase);
      await runAlarmsUntil(driven, start + dayMs);
      await driven.run((object) => object.cancelSubscription(id));
      await driven.runDueAlarms();
      await makeChange(driven, id, { kind: 'switch', plan: 'quarterly_usd' });
    });
    expect(await forgetPlans(stub)).toEqual(['plan:monthly_usd', 'plan:quarterly_usd']);
    await driveObject(stub, async (driven) => {
      await driven.run((object) => object.sync());
      expect(ownedIn(driven)).toMatchObject({ plan: 'monthly_usd', nextPlan: 'quarterly_usd' });
      await runAlarmsUntil(driven, Date.UTC(2027, 1, 20));
      expect(ownedIn(driven)).toMatchObject({ plan: 'quarterly_usd', amounts: [3999, 5999] });
      const { attempt: id, rows } = ownedIn(driven);
      const pause = await makeChange(driven, id, { kind: 'pause', months: 1 });
      expect(pause).toMatchObject({ state: 'done', next: { amount: 5999 } });
      const payment = rows.at(-1)?.paymentId as never;
      expect(await driven.run((object) => object.refund(payment, null, 'key'))).toMatchObject({
        ...{ kind: 'refunded', amount: 5999 },
      });
    });
    expect(await forgetPlans(stub)).toEqual(['plan:monthly_usd', 'plan:quarterly_usd']);
  },
);

const bought = attempt({ id: 'a', plan: 'quarterly_usd', state: 'active', charge });
const subscription: Subscription = {
  ...startSubscription(bought, start).subscription,
  nextPlan: planNamed('monthly_usd'),
  paidSince: { plan: bought.plan, at: epochMs(start) },
  failure: {
    ...{ periodEndedAt: epochMs(start), failedAt: epochMs(start), amount: minor(5999) },
    ...{ outcome: 'open', endedAt: null, notices: [] },
  },
};
const change = {
  ...{ id: 'c', attempt: bought.id, kind: 'switch', state: 'open', plan: planNamed('monthly_usd') },
  ...{ amount: minor(0), credit: minor(0), openedAt: start },
} as PlanChange;

function storages() {
  const { kv, values } = memoryKv();
  const storage = new PurchaseStorage(kv, () => start);
  return { values, storage, changes: new ChangeStorage(kv, storage) };
}

/** The storage of an account with one record of each kind that names a plan. */
function filled() {
  const on = storages();
  on.storage.setProfile({
    ...{ account: accountId('account'), email: 'a@example.com', customers: {} },
    abandoned: [{ attempt: bought, dueAt: start }],
  });
  on.storage.save(bought);
  on.storage.saveSubscription(subscription);
  on.changes.save(change);
  return on;
}

test('sold plans: every record is stored with the ids of its plans, as the build before a roll back reads it', () => {
  const { values } = filled();
  expect(values.get('attempt:a')).toEqual({ ...bought, plan: 'quarterly_usd' });
  expect(values.get('subscription:a')).toEqual({
    ...subscription,
    plan: 'quarterly_usd',
    nextPlan: 'monthly_usd',
    paidSince: { plan: 'quarterly_usd', at: start },
  });
  expect(values.get('change:c')).toEqual({ ...change, plan: 'monthly_usd', version: 1 });
  expect(values.get('profile')).toMatchObject({
    abandoned: [{ attempt: { id: 'a', plan: 'quarterly_usd' }, dueAt: start }],
  });
  const withPlans = [...values].filter(([, value]) => /productId/.test(JSON.stringify(value)));
  expect(withPlans).toEqual([
    ['plan:quarterly_usd', planNamed('quarterly_usd')],
    ['plan:monthly_usd', planNamed('monthly_usd')],
  ]);
});

test('sold plans: what is stored is read with its plans, in the outbox too', () => {
  const { storage, changes } = filled();
  expect(storage.attempt(bought.id)).toEqual(bought);
  expect(storage.profile?.abandoned).toEqual([{ attempt: bought, dueAt: start }]);
  expect(storage.subscriptions()).toEqual([subscription]);
  expect(changes.all()).toEqual([{ ...change, version: 1 }]);
  const entries = storage.outbox.all().filter((entry) => !isMessage(entry));
  expect(entries.map((entry) => rowOf(entry)?.row)).toMatchObject([
    { id: 'a', plan: 'quarterly_usd' },
    { attempt_id: 'a', plan: 'quarterly_usd' },
    { attempt_id: 'a', currency: 'USD', amount: 5999 },
    { id: 'c', plan: 'monthly_usd', currency: 'USD' },
  ]);
});

test('sold plans: a plan that left the catalog is still the one that was sold; an unknown one is an error, never a default', () => {
  const logged = captureLogEvents();
  const { storage, values } = filled();
  values.set('attempt:a', { ...bought, plan: 'yearly_usd' });
  for (const read of [() => storage.attempt(bought.id), () => storage.attempts()])
    expect(read).toThrow(new RangeError('no plan yearly_usd'));
  expect(logged()).toEqual(['sold_plan_unknown', 'sold_plan_unknown']);
  const yearly = { ...bought.plan, id: 'yearly_usd' };
  values.set('plan:yearly_usd', yearly);
  expect(storage.attempt(bought.id)?.plan).toEqual(yearly);
});

test('sold plans: an account is not sold the same plan on other terms', () => {
  const { storage } = filled();
  const other = { ...bought.plan, price: minor(4999) };
  expect(() => storage.save(attempt({ id: 'b', plan: other }))).toThrow(RangeError);
  expect(storage.attempts()).toEqual([bought]);
  // A text or a name at the provider may change.
  storage.save(attempt({ id: 'b', plan: { ...bought.plan, productId: 'Three months' } }));
  expect(storage.plans.of('quarterly_usd')).toEqual(bought.plan);
});

test('sold plans: the Worker reads a purchase with the plans that its object sent, or with built-in ones of an object of an older build', () => {
  const money = { rows: [], coupon: null, terms: null, amount: minor(0), pendingChange: null };
  const own = { ...planNamed('monthly_usd'), price: minor(2999) };
  const owned = { ...money, subscription: { ...subscription, nextPlan: own }, boughtPlan: own };
  const { plans, ...older } = sentPurchase(owned);
  expect(older.subscription).toMatchObject({ plan: 'quarterly_usd', nextPlan: 'monthly_usd' });
  expect(receivedPurchase({ ...older, plans: plans ?? [] })).toEqual(owned);
  expect(receivedPurchase(older).subscription).toEqual(subscription);
  const nextPlan = 'yearly_usd' as PlanId;
  const unknown = { ...older, subscription: { ...older.subscription, nextPlan } };
  expect(() => receivedPurchase(unknown)).toThrow(new RangeError('no plan yearly_usd'));
});
