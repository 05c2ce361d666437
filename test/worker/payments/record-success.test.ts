import { env, runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { PurchaseStorage } from '../../../worker/payments/purchase-storage.ts';
import { keep } from '../../../worker/payments/record-success.ts';
import { attempt } from './attempt-fixture.ts';

const charge = {
  subscriptionId: 'sub',
  paymentId: 'pi',
  customerId: 'cus',
  methodId: 'pm',
  amount: 3999,
  currency: 'USD',
} as const;

test('ad networks are owed what the buyer let them know, and nothing else', async () => {
  await runInDurableObject(env.PURCHASES.getByName(crypto.randomUUID()), (_, state) => {
    const ledger = new PurchaseStorage(state.storage.kv);
    ledger.setProfile({ account: 'a', email: 'ada@example.com', known: {} });
    const active = attempt({ state: 'active', charge });
    ledger.save(active, 'a', 1);
    ledger.setTrace('a', { user: { google_client_id: '1.2' } });
    keep(ledger, active, 'a', 7);
    expect(ledger.trace('a')).toBeUndefined();
    expect(ledger.outbox().at(-1)?.[1]).toEqual({
      conversion: {
        event: 'a',
        plan: 'monthly_usd',
        price: 39.99,
        currency: 'USD',
        subscription: 'sub',
        at: 7,
        user: { google_client_id: '1.2' },
      },
    });
  });
});

test('what was bought, its money, its card and its confirmation are kept in one go', async () => {
  await runInDurableObject(env.PURCHASES.getByName(crypto.randomUUID()), (_, state) => {
    const ledger = new PurchaseStorage(state.storage.kv);
    ledger.setProfile({ account: 'a', email: 'e', known: {} });
    const active = attempt({ state: 'active', charge });
    ledger.save(active, 'a', 1);
    expect(keep(ledger, active, 'a', 1)).toBeUndefined();
    expect(ledger.bought()).toMatchObject([{ attempt: 'a', status: 'active' }]);
    expect(ledger.rows()).toMatchObject([{ kind: 'capture', amount: 3999 }]);
    expect(ledger.profile?.known).toEqual({ stripe: { customerId: 'cus', methodId: 'pm' } });
    expect(ledger.outbox().map(([, entry]) => Object.keys(entry)[0])).toEqual([
      'attempt',
      'bought',
      'ledger',
      'notice',
    ]);
  });
});
