import { env, runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { PurchaseStorage } from '../../../worker/payments/purchase-storage.ts';
import { recordSuccess } from '../../../worker/payments/record-success.ts';
import { attempt } from './attempt-fixture.ts';

const charge = {
  subscriptionId: 'sub',
  paymentId: 'pi',
  customerId: 'cus',
  methodId: 'pm',
  amount: 3999,
  currency: 'USD',
} as const;

test('purchase: a success queues a conversion with the data that the buyer allowed', async () => {
  await runInDurableObject(env.PURCHASES.getByName(crypto.randomUUID()), (_, state) => {
    const ledger = new PurchaseStorage(state.storage.kv);
    ledger.setProfile({ account: 'a', email: 'ada@example.com', customers: {} });
    const active = attempt({ state: 'active', charge });
    ledger.save(active);
    ledger.setAdClickData('a', { user: { google_client_id: '1.2' } });
    recordSuccess(ledger, active, 7);
    expect(ledger.adClickData('a')).toBeUndefined();
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

test('purchase: a success stores the subscription, money, customer and confirmation e-mail in one write', async () => {
  await runInDurableObject(env.PURCHASES.getByName(crypto.randomUUID()), (_, state) => {
    const ledger = new PurchaseStorage(state.storage.kv);
    ledger.setProfile({ account: 'a', email: 'e', customers: {} });
    const active = attempt({ state: 'active', charge });
    ledger.save(active);
    expect(recordSuccess(ledger, active, 1)).toBeUndefined();
    expect(ledger.subscriptions()).toMatchObject([{ attempt: 'a', status: 'active' }]);
    expect(ledger.rows()).toMatchObject([{ kind: 'capture', amount: 3999 }]);
    expect(ledger.profile?.customers).toEqual({ stripe: { customerId: 'cus', methodId: 'pm' } });
    expect(ledger.outbox().map(([, entry]) => Object.keys(entry)[0])).toEqual([
      'attempt',
      'subscription',
      'ledger',
      'notice',
    ]);
  });
});
