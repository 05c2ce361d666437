import { env, runInDurableObject } from 'cloudflare:test';
import type { SyncKvStorage } from '@cloudflare/workers-types';
import { expect, test } from 'vitest';
import { PurchaseStorage } from '../../../worker/payments/purchase-storage.ts';
import {
  type Attempt,
  applyOutcome,
  applyProgress,
  markFailed,
} from '../../../worker/payments/rules/attempt.ts';
import { startSubscription } from '../../../worker/payments/rules/subscription.ts';
import { type AccountId, minor, paymentIdOf } from '../../../worker/types.ts';
import { attempt as anAttempt, movement } from './attempt-fixture.ts';

const attempt = (id: string, change: Partial<Attempt> = {}) =>
  anAttempt({ id, pollingId: `poll-${id}`, ...change });

const charge = {
  subscriptionId: 'sub',
  paymentId: paymentIdOf('pi'),
  customerId: 'cus',
  methodId: 'pm',
  amount: minor(3999),
  currency: 'USD' as const,
};
const refund = movement({ kind: 'refund', id: 're', paymentId: 'pi', amount: 500, at: 6 } as const);
const paid = (one: Attempt) =>
  applyOutcome(applyProgress(one, { sentAt: 1 }), { kind: 'active', charge }, 2);

/** Runs on the storage of a new account's object. */
function onLedger<T>(use: (ledger: PurchaseStorage) => T, clock?: () => number): Promise<T> {
  const stub = env.PURCHASES.getByName(crypto.randomUUID());
  return runInDurableObject(stub, (_object, state) => {
    const { kv } = (state as unknown as { storage: { kv: SyncKvStorage } }).storage;
    const ledger = new PurchaseStorage(kv, clock);
    ledger.setProfile({ account: 'account' as AccountId, email: 'a@example.com', customers: {} });
    return use(ledger);
  });
}

test('storage: a pending attempt occupies its slot and is found by its polling id', async () => {
  await onLedger((ledger) => {
    ledger.save(attempt('a'));
    expect(ledger.attemptInSlot('main')?.id).toBe('a');
    expect(ledger.attemptInSlot('upsell')).toBeUndefined();
    expect(ledger.attemptByPollingId('poll-a')?.id).toBe('a');
    expect(ledger.attemptByPollingId('poll-b')).toBeUndefined();
    expect(ledger.pendingAttempts().map(({ id }) => id)).toEqual(['a']);
  });
});

test('storage: a failed attempt releases its slot, a paid one keeps it', async () => {
  await onLedger((ledger) => {
    const first = attempt('a');
    ledger.save(first);
    ledger.save(markFailed(first));
    expect([ledger.attemptInSlot('main'), ledger.pendingAttempts()]).toEqual([undefined, []]);
    ledger.save(paid(attempt('b')));
    expect(ledger.attemptInSlot('main')?.state).toBe('active');
    expect(ledger.pendingAttempts()).toEqual([]);
  });
});

test('storage: an attempt that fails late does not release a slot that another attempt occupies', async () => {
  await onLedger((ledger) => {
    ledger.save(attempt('b'));
    ledger.save(markFailed(attempt('a')));
    expect(ledger.attemptInSlot('main')?.id).toBe('b');
  });
});

test('storage: each movement is recorded once', async () => {
  await onLedger((ledger) => {
    const one = paid(attempt('a'));
    ledger.save(one);
    const { subscription, movements } = startSubscription(one, 5);
    ledger.saveSubscription(subscription, movements);
    ledger.saveSubscription({ ...subscription, version: 2 }, [...movements, refund]);
    const rows = ledger
      .outbox()
      .flatMap(([, entry]) => (entry.kind === 'movement' ? [entry.row] : []));
    const whole = {
      attempt: 'a',
      account: 'account',
      currency: 'USD',
      paymentId: 'pi',
      gateway: 'stripe',
      experiment: 'e1',
      arm: 'fullPrice',
    };
    expect(rows).toEqual([
      { ...whole, id: 'capture:pi', kind: 'capture', amount: 3999, at: 5 },
      { ...whole, id: 'refund:re', kind: 'refund', amount: 500, at: 6 },
    ]);
    expect(ledger.rows()).toEqual(rows);
  });
});

test('storage: a subscription that has ended releases its slot', async () => {
  await onLedger((ledger) => {
    const one = paid(attempt('a'));
    ledger.save(one);
    const { subscription, movements } = startSubscription(one, 5);
    ledger.saveSubscription(subscription, movements);
    expect(ledger.attemptInSlot('main')?.id).toBe('a');
    ledger.saveSubscription({ ...subscription, status: 'ended' });
    expect(ledger.attemptInSlot('main')).toBeUndefined();
    expect(ledger.subscriptions()).toMatchObject([{ attempt: 'a', status: 'ended' }]);
  });
});

test('storage: a requested refund is stored by its key', async () => {
  await onLedger((ledger) => {
    const requested = { amount: minor(500), sentAt: null };
    expect(ledger.refund('key')).toBeUndefined();
    ledger.saveRefund('key', requested);
    expect([ledger.refund('key'), ledger.refund('other')]).toEqual([requested, undefined]);
    ledger.deleteRefund('key');
    expect(ledger.refund('key')).toBeUndefined();
  });
});

test('storage: the outbox keeps its order and returns 50 entries at a time', async () => {
  let now = 0;
  await onLedger(
    (ledger) => {
      let one = attempt('a');
      const order = Array.from({ length: 60 }, (_, i) => i + 1);
      for (const version of order) {
        one = { ...one, version };
        // Two at the same millisecond, and a clock that grows a digit.
        now = 99 + Math.floor(version / 2);
        ledger.save(one);
      }
      const seen: number[] = [];
      for (let box = ledger.outbox(); box.length > 0; box = ledger.outbox()) {
        expect(box.length).toBeLessThanOrEqual(50);
        seen.push(
          ...box.map(([, entry]) => (entry.kind === 'attempt' ? entry.attempt.version : 0)),
        );
        ledger.deleteFromOutbox(box.map(([key]) => key));
      }
      expect(seen).toEqual(order);
    },
    () => now,
  );
});

test('storage: the last profile replaces the one before', async () => {
  await onLedger((ledger) => {
    const profile = { account: 'a' as AccountId, email: 'a@example.com', customers: {} };
    const customers = { stripe: { customerId: 'cus', methodId: null } };
    ledger.setProfile(profile);
    ledger.setProfile({ ...profile, customers });
    expect(ledger.profile).toEqual({ ...profile, customers });
  });
});
