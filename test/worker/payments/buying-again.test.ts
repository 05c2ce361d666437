import { runInDurableObject } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { PurchaseStorage } from '../../../worker/payments/purchase-storage.ts';
import type { Subscription } from '../../../worker/payments/rules/subscription.ts';
import { post, refusalOf } from '../request.ts';
import { account, card, order, polled, pollingId, stubOf } from './buying.ts';
import { openBank } from './payments-fixture.ts';

afterEach(() => void vi.unstubAllGlobals());

const awaited: typeof order = (plan, body, headers) =>
  post(`/users/me/subscriptions/${plan}`, body, headers);

/** Who bought the monthly plan that something happened to since. */
async function owner(change: Partial<Subscription>) {
  const bank = openBank();
  const headers = await account();
  await polled(await pollingId('monthly_usd', card(), headers));
  const stub = stubOf(headers);
  await runInDurableObject(stub, (_, { storage }) => {
    const ledger = new PurchaseStorage(storage.kv);
    const [subscription] = ledger.subscriptions();
    if (subscription) ledger.saveSubscription({ ...subscription, ...change });
  });
  return { bank, headers };
}

test.each([
  ['payment_overdue', { status: 'past_due' }],
  ['plan_ending', { ends: true }],
  ['plan_ending', { cancelAskedAt: 1 }],
] as const)(
  '%s: purchase: a second purchase of an owned plan is refused, not reported as paid: %o',
  async (code, change) => {
    const { bank, headers } = await owner(change);
    for (const plan of ['monthly_usd', 'quarterly_usd', 'upsell_monthly_799_usd']) {
      for (const way of [order, awaited]) {
        const refusal = await refusalOf(await way(plan, card(), headers));
        expect([plan, ...refusal.slice(0, 2)]).toEqual([plan, 409, code]);
        expect(refusal[2]).not.toMatch(/still open/);
      }
    }
    expect(bank.captures()).toHaveLength(1);
  },
);
