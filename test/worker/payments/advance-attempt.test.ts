import { env, runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { advanceAttempt } from '../../../worker/payments/advance-attempt.ts';
import { PurchaseStorage } from '../../../worker/payments/purchase-storage.ts';
import type { AccountId } from '../../../worker/types.ts';
import { attempt } from './attempt-fixture.ts';
import { openBank, quietly } from './payments-fixture.ts';

quietly();

test('purchase: a success stores the subscription, money, customer, e-mail and conversion in one write', async () => {
  openBank();
  await runInDurableObject(env.PURCHASES.getByName(crypto.randomUUID()), async (_, state) => {
    const ledger = new PurchaseStorage(state.storage.kv);
    ledger.setProfile({ account: 'a' as AccountId, email: 'ada@example.com', customers: {} });
    const id = crypto.randomUUID();
    ledger.save(attempt({ id, pollingId: `poll-${id}`, openedAt: Date.now() }));
    ledger.setAdClickData(id, { user: { google_client_id: '1.2' } });
    ledger.deleteFromOutbox(ledger.outbox().map(([key]) => key));
    await advanceAttempt(id, ledger, env);
    const charge = ledger.attempt(id)?.charge;
    expect(ledger.subscriptions()).toMatchObject([{ attempt: id, status: 'active' }]);
    expect(ledger.rows()).toMatchObject([{ kind: 'capture', amount: 3999 }]);
    expect(ledger.profile?.customers.stripe).toEqual({
      customerId: charge?.customerId,
      methodId: charge?.methodId,
    });
    expect(ledger.adClickData(id)).toBeUndefined();
    const entries = ledger.outbox().map(([, entry]) => entry);
    const booked = entries.slice(entries.findIndex(({ kind }) => kind === 'subscription'));
    expect(booked.map(({ kind }) => kind)).toEqual([
      'subscription',
      'movement',
      'email',
      'conversion',
    ]);
    expect(booked.at(-1)).toMatchObject({
      conversion: {
        event: id,
        plan: 'monthly_usd',
        price: 39.99,
        currency: 'USD',
        subscription: charge?.subscriptionId,
        at: expect.any(Number),
        user: { google_client_id: '1.2' },
      },
    });
  });
});
