import { document } from './rest/routes.ts';
import { disputeFields, saleFields, subscriptionFields } from './rest/views.ts';
import { sell } from './sale.ts';
import type { Dispute, Sandbox, Subscription, Transaction } from './state.ts';

import { nextAmount, nextBilling } from './subscriptions.ts';

/** The two fields of a webhook's form. */
export interface Webhook {
  kind: string;
  bt_signature: string;
  bt_payload: string;
}

const encode = (text: string) => new TextEncoder().encode(text);
const base64 = (text: string) => btoa(String.fromCharCode(...encode(text)));

/** Signs a payload as Braintree does: HMAC-SHA1 under the SHA-1 of the private key, in hex. */
async function sign(privateKey: string, payload: string): Promise<string> {
  const secret = await crypto.subtle.digest('SHA-1', encode(privateKey));
  const hash = { name: 'HMAC', hash: 'SHA-1' };
  const key = await crypto.subtle.importKey('raw', secret, hash, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, encode(payload));
  return [...new Uint8Array(signature)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function subjectOf(sandbox: Sandbox, kind: string, subject: object): object {
  if (kind.startsWith('subscription')) {
    return { subscription: subscriptionFields(sandbox, subject as Subscription) };
  }
  if (kind.startsWith('dispute')) return { dispute: disputeFields(sandbox, subject as Dispute) };
  return { transaction: saleFields(sandbox, subject as Transaction) };
}

interface Keys {
  publicKey: string;
  privateKey: string;
}

async function posted(
  { publicKey, privateKey }: Keys,
  kind: string,
  xml: string,
): Promise<Webhook> {
  const payload = `${base64(xml)}\n`;
  const signature = `${publicKey}|${await sign(privateKey, payload)}`;
  return { kind, bt_signature: signature, bt_payload: payload };
}

/** @param at ms since 1970 */
export function webhookOf(keys: Keys, kind: string, subject: object, at: number): Promise<Webhook> {
  return posted(keys, kind, document('notification', { timestamp: new Date(at), kind, subject }));
}

/** The same webhook as if it had happened, and been signed, at another time; ms since 1970. */
export function webhookAt(keys: Keys, { kind, bt_payload }: Webhook, at: number): Promise<Webhook> {
  const timestamp = `$1${new Date(at).toISOString().replace(/\.\d+/, '')}$2`;
  const xml = atob(bt_payload.trim()).replace(/(<timestamp[^>]*>)[^<]*(<)/, timestamp);
  return posted(keys, kind, xml);
}

const day = 24 * 60 * 60 * 1000;

/**
 * Days until each retry of a failed renewal: "from 1 day up to 10 days", twice. "If both retries fail, you have the
 * option of canceling the subscription, continuing to retry on the subscription's next scheduled billing date or to
 * leave the subscription past due": this account continues
 * (braintreepayments.com/blog/customizable-dunning-management), and "the balance … will continue to increase every
 * billing cycle" (developer.paypal.com/braintree/docs/guides/recurring-billing/overview).
 */
const retryAfterDays = [10, 10];

function renew(sandbox: Sandbox, subscription: Subscription, at: number): void {
  const { state, notify: tell } = sandbox;
  const first = !Object.values(state.transactions).some(
    (one) => one.subscription === subscription.id,
  );
  const isRetry = subscription.failures > 0 && subscription.failures <= retryAfterDays.length;
  const { balance = 0 } = subscription;
  const amount = isRetry ? balance : balance + nextAmount(sandbox, subscription);
  if (!isRetry) subscription.billedAt = at;
  const transaction = sell(
    { ...sandbox, now: () => at },
    {
      nonce: null,
      token: subscription.token,
      amount,
      merchantAccount: subscription.merchantAccount,
      orderId: null,
      customer: null,
      vaultOnSuccess: false,
      subscription: subscription.id,
    },
  );
  if (transaction.status === 'SUBMITTED_FOR_SETTLEMENT') {
    const isNew = subscription.status === 'Pending';
    if (isNew) tell('subscription_went_active', subscription);
    else if (first) tell('subscription_trial_ended', subscription);
    subscription.status = 'Active';
    subscription.failures = 0;
    subscription.balance = 0;
    subscription.nextBillingAt = nextBilling(subscription, at);
    subscription.paidThroughAt = subscription.nextBillingAt;
    tell('subscription_charged_successfully', subscription);
    return;
  }
  const before = subscription.status;
  subscription.failures += 1;
  subscription.status = 'Past Due';
  subscription.balance = transaction.amount;
  const retryDays = retryAfterDays[subscription.failures - 1];
  subscription.nextBillingAt = retryDays ? at + retryDays * day : nextBilling(subscription, at);
  tell('subscription_charged_unsuccessfully', subscription);
  if (before !== 'Past Due') tell('subscription_went_past_due', subscription);
}

/** Settles sales after a day, and charges every renewal that is due by the clock, one after another. */
export function passTime(sandbox: Sandbox): void {
  const { state, now } = sandbox;
  for (const subscription of Object.values(state.subscriptions)) {
    while (subscription.status !== 'Canceled' && subscription.nextBillingAt <= now()) {
      renew(sandbox, subscription, subscription.nextBillingAt);
    }
  }
  for (const transaction of Object.values(state.transactions)) {
    if (transaction.status !== 'SUBMITTED_FOR_SETTLEMENT') continue;
    if (now() - transaction.createdAt >= day) transaction.status = 'SETTLED';
  }
}
