import { expect, test } from 'vitest';
import type { Subscription } from '../../../../worker/payments/purchase/state.ts';
import { PurchaseStorage } from '../../../../worker/payments/storage/purchase-storage.ts';
import { InvitationRights } from '../../../../worker/payments/subscriptions/invitation-rights.ts';
import { ProductPlan } from '../../../../worker/payments/subscriptions/product-plan.ts';
import { type AccountId, epochMs } from '../../../../worker/platform/types.ts';
import { planOf } from '../../invitations/plan-fixture.ts';
import { memoryKv } from '../../memory-kv.ts';

/** An account's rights, and its plan in storage. */
function account() {
  const { kv, values } = memoryKv();
  const storage = new PurchaseStorage(kv);
  const profile = { account: 'a' as AccountId, email: '', customers: {} };
  storage.setProfile(profile);
  return {
    rights: new InvitationRights(kv, storage, new ProductPlan(kv)),
    plan: (change: Partial<Subscription>) => values.set('subscription:plan', planOf(change)),
    remove: () => storage.setProfile({ ...profile, isDeleted: true }),
  };
}

const granted = (since: number) => ({ refusal: null, endedUntil: since - 1, hasEnded: false });
const ended = (at: number, refusal = 'main_plan_required') => ({
  refusal,
  endedUntil: at,
  hasEnded: true,
});

test('invitation rights: an end is noticed once, and a later plan revives nothing', () => {
  const { rights, plan } = account();
  expect(rights.update(1)).toEqual({ ...ended(1), hasEnded: false });
  plan({});
  expect([rights.update(10), rights.update(20)]).toEqual([granted(10), granted(10)]);
  plan({ status: 'ended' });
  expect(rights.update(30)).toEqual(ended(30));
  expect(rights.update(40)).toEqual({ ...ended(40), hasEnded: false });
  plan({});
  expect(rights.update(50)).toEqual(granted(50));
});

test('invitation rights: time alone ends them, and their end is due', () => {
  const { rights, plan } = account();
  rights.update(1);
  expect(rights.dueAt()).toBeNull();
  plan({ ends: true, paidUntil: epochMs(1000) });
  rights.update(10);
  expect(rights.dueAt()).toBe(1000);
  expect(rights.update(1000)).toEqual(ended(1000));
  expect(rights.dueAt()).toBeNull();
});

test.each([
  [{ isDisputed: true }, 'payment_disputed'],
  [{ isProvisional: true }, 'payment_unconfirmed'],
  [{ withdrawnAt: 1 }, 'main_plan_required'],
] as const)('invitation rights: %j ends them', (change, refusal) => {
  const { rights, plan } = account();
  plan({});
  rights.update(1);
  plan(change);
  expect(rights.update(2)).toEqual(ended(2, refusal));
});

test('invitation rights: a deleted account has none, although its plan is paid', () => {
  const { rights, plan, remove } = account();
  plan({});
  rights.update(1);
  remove();
  expect(rights.update(2)).toEqual(ended(2));
});

test('invitation rights: a plan from before they were recorded keeps its invitations, an ended one does not', () => {
  const running = account();
  running.plan({});
  expect(running.rights.update(5)).toEqual(granted(0));
  const over = account();
  over.plan({ status: 'ended' });
  expect(over.rights.update(5)).toEqual(ended(5));
});
