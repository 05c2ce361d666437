import { env, runInDurableObject } from 'cloudflare:test';
import type { SyncKvStorage } from '@cloudflare/workers-types';
import { expect, test } from 'vitest';
import { paymentCounts } from '../../../../worker/payments/ledger/payment-counts.ts';
import { applyOutcome, applyProgress } from '../../../../worker/payments/purchase/attempt.ts';
import { PurchaseStorage } from '../../../../worker/payments/storage/purchase-storage.ts';
import { startSubscription } from '../../../../worker/payments/subscriptions/rules/subscription-changes.ts';
import { accountId, attempt, charge, movement } from '../attempts/attempt-fixture.ts';

const refund = movement({ kind: 'refund', id: 're', paymentId: 'pi', amount: 500, at: 6 } as const);
const sent = applyProgress(attempt({ id: 'a', pollingId: 'poll-a' }), { sentAt: 1 });
const one = applyOutcome(sent, { kind: 'active', charge }, 2);

test('storage: money of the first 90 days counts once more, in the hour of the sign-up', async () => {
  const day = 86_400_000;
  const counted = async (signedUpAt: number) =>
    runInDurableObject(env.PURCHASES.getByName(crypto.randomUUID()), (_object, state) => {
      const { kv } = (state as unknown as { storage: { kv: SyncKvStorage } }).storage;
      const storage = new PurchaseStorage(kv);
      const known = { account: accountId('account'), email: 'a@example.com', customers: {} };
      storage.setProfile({ ...known, signedUpAt });
      storage.save({ ...one, experiment: 'prices', arms: 'headline:b' });
      const { subscription, movements } = startSubscription(one, 5);
      storage.saveSubscription(subscription, [...movements, refund] as typeof movements);
      const entries = storage.outbox.next().map(([key, entry]) => ({ key, entry }));
      return paymentCounts(storage, entries).flatMap(({ step, at, slice, payment }) =>
        step === 'test:cohort'
          ? [[at, slice.experiment, payment?.reason, payment?.amount, payment?.squares]]
          : [],
      );
    });
  const [first, second] = [
    [3999, 3999 ** 2],
    [-500, 3499 ** 2 - 3999 ** 2],
  ];
  const signedUpAt = -10 * day;
  expect(await counted(signedUpAt)).toEqual(
    [first, second].flatMap((sums) =>
      ['prices', 'headline'].map((experiment) => [signedUpAt, experiment, 'd30', ...(sums ?? [])]),
    ),
  );
  expect(await counted(-91 * day)).toEqual([]);
});
