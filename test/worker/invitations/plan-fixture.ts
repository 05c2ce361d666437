import { env, runInDurableObject } from 'cloudflare:test';
import type { Purchases } from '../../../worker/payments/purchases-object.ts';
import type { Subscription } from '../../../worker/payments/rules/subscription.ts';
import { startSubscription } from '../../../worker/payments/rules/subscription-changes.ts';
import type { AccountId } from '../../../worker/types.ts';
import { attempt, charge } from '../payments/attempts/attempt-fixture.ts';

/** A plan that was paid now and never ends, unless `change` says otherwise. */
export const planOf = (change: Partial<Subscription> = {}): Subscription => ({
  ...startSubscription(attempt({ id: 'plan', charge, openedAt: Date.now() }), Date.now())
    .subscription,
  paidUntil: null,
  ...change,
});

/** Replaces an account's plan in its purchases object; null for none. Nothing else there is told of it. */
export const storePlan = (account: AccountId, change: Partial<Subscription> | null = {}) =>
  runInDurableObject(env.PURCHASES.getByName(account), (_: Purchases, { storage }) => {
    storage.kv.put('profile', { account, email: '', customers: {} });
    if (change) storage.kv.put('subscription:plan', planOf(change));
    else storage.kv.delete('subscription:plan');
  });
