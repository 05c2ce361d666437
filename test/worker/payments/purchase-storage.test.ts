import { env, runInDurableObject } from 'cloudflare:test';
import type { SyncKvStorage } from '@cloudflare/workers-types';
import { expect, test } from 'vitest';
import { PurchaseStorage } from '../../../worker/payments/purchase-storage.ts';
import {
  type Attempt,
  applyOutcome,
  markFailed,
  proceed,
} from '../../../worker/payments/rules/attempt.ts';
import { startSubscription } from '../../../worker/payments/rules/subscription.ts';
import { attempt as anAttempt } from './attempt-fixture.ts';

const attempt = (id: string, change: Partial<Attempt> = {}) =>
  anAttempt({ id, pollingId: `poll-${id}`, ...change });

const charge = {
  subscriptionId: 'sub',
  paymentId: 'pi',
  customerId: 'cus',
  methodId: 'pm',
  amount: 3999,
  currency: 'USD' as const,
};
const refund = { kind: 'refund', id: 're', paymentId: 'pi', amount: 500, at: 6 } as const;
const paid = (one: Attempt) =>
  applyOutcome(proceed(one, { sentAt: 1 }), { kind: 'active', charge }, 2);

/** Runs on the storage of an account's object of its own. */
function onLedger<T>(use: (ledger: PurchaseStorage, kv: SyncKvStorage) => T): Promise<T> {
  const stub = env.PURCHASES.getByName(crypto.randomUUID());
  return runInDurableObject(stub, (_object, state) => {
    const { kv } = (state as unknown as { storage: { kv: SyncKvStorage } }).storage;
    return use(new PurchaseStorage(kv), kv);
  });
}

test('an open attempt closes its slot, and is found by its polling id', async () => {
  await onLedger((ledger) => {
    ledger.save(attempt('a'), 'account', 1);
    expect(ledger.inSlot('main')?.id).toBe('a');
    expect(ledger.inSlot('upsell')).toBeUndefined();
    expect(ledger.byPolling('poll-a')?.id).toBe('a');
    expect(ledger.byPolling('poll-b')).toBeUndefined();
    expect(ledger.unsettled().map(({ id }) => id)).toEqual(['a']);
  });
});

test('a failed attempt opens the slot again, a paid one keeps it for good', async () => {
  await onLedger((ledger) => {
    const first = attempt('a');
    ledger.save(first, 'account', 1);
    ledger.save(markFailed(first), 'account', 2);
    expect([ledger.inSlot('main'), ledger.unsettled()]).toEqual([undefined, []]);
    ledger.save(paid(attempt('b')), 'account', 3);
    expect(ledger.inSlot('main')?.state).toBe('active');
    expect(ledger.unsettled()).toEqual([]);
  });
});

test('an old attempt that ends late does not open a slot that is another’s', async () => {
  await onLedger((ledger) => {
    ledger.save(attempt('b'), 'account', 1);
    ledger.save(markFailed(attempt('a')), 'account', 2);
    expect(ledger.inSlot('main')?.id).toBe('b');
  });
});

test('money is written once, however often the gateway tells of it', async () => {
  await onLedger((ledger) => {
    const one = paid(attempt('a'));
    ledger.save(one, 'account', 5);
    const { bought, movements } = startSubscription(one, 5);
    ledger.hold(bought, movements, 'account', 5);
    ledger.hold({ ...bought, version: 2 }, [...movements, refund], 'account', 6);
    const rows = ledger
      .outbox()
      .flatMap(([, change]) => ('ledger' in change ? [change.ledger] : []));
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

test('what has ended opens its slot', async () => {
  await onLedger((ledger) => {
    const one = paid(attempt('a'));
    ledger.save(one, 'account', 5);
    const { bought, movements } = startSubscription(one, 5);
    ledger.hold(bought, movements, 'account', 5);
    expect(ledger.inSlot('main')?.id).toBe('a');
    ledger.hold({ ...bought, status: 'ended' }, [], 'account', 6);
    expect(ledger.inSlot('main')).toBeUndefined();
    expect(ledger.bought()).toMatchObject([{ attempt: 'a', status: 'ended' }]);
  });
});

test('a refund is remembered by its key', async () => {
  await onLedger((ledger) => {
    expect(ledger.refund('key')).toBeUndefined();
    ledger.keepRefund('key', 500);
    expect([ledger.refund('key'), ledger.refund('other')]).toEqual([500, undefined]);
  });
});

test('changes wait in their order until they are sent, 50 at a time', async () => {
  await onLedger((ledger) => {
    let one = attempt('a');
    const order = Array.from({ length: 60 }, (_, i) => i + 1);
    for (const version of order) {
      one = { ...one, version };
      // Two at the same millisecond, and a clock that grows a digit.
      ledger.save(one, 'account', 99 + Math.floor(version / 2));
    }
    const seen: number[] = [];
    for (let box = ledger.outbox(); box.length > 0; box = ledger.outbox()) {
      expect(box.length).toBeLessThanOrEqual(50);
      seen.push(...box.map(([, change]) => ('attempt' in change ? change.attempt.version : 0)));
      ledger.sent(box.map(([key]) => key));
    }
    expect(seen).toEqual(order);
  });
});

test('the profile is what was set last', async () => {
  await onLedger((ledger) => {
    expect(ledger.profile).toBeUndefined();
    const profile = { account: 'a', email: 'a@example.com', known: {} };
    const known = { stripe: { customerId: 'cus', methodId: null } };
    ledger.setProfile(profile);
    ledger.setProfile({ ...profile, known });
    expect(ledger.profile).toEqual({ ...profile, known });
  });
});
