import { env, runInDurableObject } from 'cloudflare:test';
import { phoneHash } from '../../../worker/invitations/invitation-index.ts';
import type { Invitee } from '../../../worker/invitations/invitee-object.ts';
import type { Subscription } from '../../../worker/payments/purchase/state.ts';
import type { Purchases } from '../../../worker/payments/purchases-object.ts';
import { storedSubscription } from '../../../worker/payments/storage/stored-records.ts';
import { startSubscription } from '../../../worker/payments/subscriptions/rules/subscription-changes.ts';
import type { AccountId } from '../../../worker/platform/types.ts';
import { attempt, charge } from '../payments/attempts/attempt-fixture.ts';

/** A stored plan that was paid now and never ends, unless `change` says otherwise. */
export const planOf = (change: Partial<Subscription> = {}) =>
  storedSubscription({
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

/** The invitee's object learned, just before the plan or the account ended, that everybody may invite. */
export async function answerRightEarly(phone: string): Promise<void> {
  const invitationRight = async () => ({ refusal: null, endedUntil: 0 });
  const value = { ...env, PURCHASES: { getByName: () => ({ invitationRight }) } };
  const stub = env.INVITATIONS.getByName(await phoneHash(env, phone));
  await runInDurableObject(stub, (object: Invitee) => {
    Object.defineProperty(object, 'env', { value, configurable: true });
  });
}
