import { env, runInDurableObject } from 'cloudflare:test';
import { expect } from 'vitest';
import { PurchaseStorage } from '../../../worker/payments/storage/purchase-storage.ts';
import type { TracedSite } from './traced-site.ts';
import type { Visitor } from './visitor.ts';

/** The browser's data about the ads that led here. */
const user_data = {
  google_client_id: '1234567890.1700000000',
  user_data: { fbc: 'fb.1.1700000000000.F1_click', ttp: 'ttp_1', google_click_id: 'G1_click' },
};

interface Result {
  data?: { result_data?: { payment_intent_id?: string; payment_intent_secret?: string } };
}

/** Buys; resolves when the outcome is known. */
async function buy(
  visitor: Visitor,
  site: TracedSite,
  plan: string,
  order: object,
): Promise<{ payment_intent_id?: string; payment_intent_secret?: string }> {
  const path = `/users/me/subscriptions/polling/${plan}`;
  const opened = await visitor.post<{ data?: { polling_result_id: string } }>(path, order);
  const id = opened.data?.polling_result_id;
  if (!id) throw new Error(`${plan}: ${JSON.stringify(opened)}`);
  visitor.recordSecret('poll id', id);
  return site.until(async () => {
    const response = await visitor.send(`/api/v1/polling/get-result/${id}`);
    if (response.status !== 200) return undefined;
    return ((await response.json()) as Result).data?.result_data ?? {};
  });
}

/** Resolves when an account has no pending work. */
export const jobsDone = (visitor: Visitor, site: TracedSite) =>
  site.until(() =>
    runInDurableObject(env.PURCHASES.getByName(visitor.account()), (_object, { storage }) => {
      const ledger = new PurchaseStorage(storage.kv);
      const waiting = [
        ledger.pendingAttempts(),
        ledger.outbox.next(),
        ledger.profile?.gatewaysToErase ?? [],
      ];
      return waiting.every((list) => list.length === 0);
    }),
  );

/** A decline, a plan with a coupon, and all offers after it. */
export async function payAtStripe(visitor: Visitor, site: TracedSite): Promise<void> {
  const order = (payment_method_nonce: string | null, more: object = {}) => ({
    gateway: 'stripe',
    payment_method_nonce,
    user_data,
    ...more,
  });
  await buy(visitor, site, 'monthly_7d_eur', order('pm_card_visa_chargeDeclined'));
  await visitor.post('/coupons', { coupon: 'FIVE', plan: 'monthly_eur' });
  await buy(visitor, site, 'monthly_eur', order('pm_card_visa', { coupon: 'FIVE' }));
  await buy(visitor, site, 'upsell_monthly_799_eur', order(null));
  await buy(visitor, site, 'guide_1799_eur', order(null));
  await jobsDone(visitor, site);
}

/** Resolves when an account's object has delivered its outbox. */
const outboxDelivered = (visitor: Visitor, site: TracedSite) =>
  site.until(() =>
    runInDurableObject(
      env.PURCHASES.getByName(visitor.account()),
      (_object, { storage }) => new PurchaseStorage(storage.kv).outbox.next().length === 0,
    ),
  );

/** A card with a failed challenge. */
export async function failAtBank(visitor: Visitor, site: TracedSite): Promise<void> {
  const order = { payment_method_nonce: 'pm_card_authenticationRequired', user_data };
  const challenged = await buy(visitor, site, 'quarterly_eur', order);
  const { payment_intent_id = '', payment_intent_secret = '' } = challenged;
  visitor.recordSecret('payment secret', payment_intent_secret);
  await outboxDelivered(visitor, site);
  await site.recordStorage();
  site.vendors.stripe.challenge(payment_intent_id, 'failed');
  await buy(visitor, site, 'quarterly_eur', { ...order, payment_intent_id });
  await jobsDone(visitor, site);
}

/** A plan at the other provider, with the device data of its script. */
export async function payAtBraintree(visitor: Visitor, site: TracedSite): Promise<void> {
  const device_data = '{"correlation_id":"0f1e2d3c4b5a69788796a5b4c3d2e1f0"}';
  const order = { gateway: 'braintree', payment_method_nonce: 'fake-valid-nonce', device_data };
  await buy(visitor, site, 'monthly_7d_eur', order);
  await jobsDone(visitor, site);
}

interface SubscriptionsResponse {
  data: { subscriptions: { attempt: string; slot: string }[] };
}

/** Views the purchases, cancels, resumes, and withdraws from the others. */
export async function managePurchases(visitor: Visitor, site: TracedSite): Promise<void> {
  await visitor.get('/users/me/guide');
  await visitor.get('/users/me/guarantee');
  const { data } = await visitor.get<SubscriptionsResponse>('/users/me/purchases');
  const of = (slot: string) => data.subscriptions.find((one) => one.slot === slot)?.attempt ?? '';
  expect(of('main')).not.toBe('');
  await visitor.post(`/users/me/subscriptions/${of('main')}/cancel`);
  await jobsDone(visitor, site);
  await visitor.post(`/users/me/subscriptions/${of('main')}/resume`);
  await jobsDone(visitor, site);
  await visitor.post('/users/me/withdrawal', { attempt: of('upsell') });
  await jobsDone(visitor, site);
  await visitor.get('/users/me/export');
}
