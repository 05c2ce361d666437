import type { Env } from '../../../env.ts';
import { braintreeCredentials } from './credentials.ts';
import { minorUnits } from './outcome.ts';
import { type BraintreeSubscription, subscriptionOf } from './subscription.ts';
import { childOf, parseXml, textOf, type Xml } from './xml.ts';

/** What Braintree reports. Sums in minor units; transactions by the id that the control panel shows. */
export interface Notification {
  /** Such as `subscription_charged_successfully`. */
  kind: string;
  /** ms since 1970. Whoever takes it decides how old is too old. */
  at: number;
  subscription: BraintreeSubscription | null;
  transaction: { id: string; orderId: string; status: string; amount: number } | null;
  dispute: { id: string; status: string; amount: number; transactionId: string } | null;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const hex = (text: string) =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** Pairs of a public key and 40 digits: one for each key that the merchant has. */
const wellFormed = /^\w+\|[\da-f]{40}(&\w+\|[\da-f]{40})*$/;

/** HMAC-SHA1 under the SHA-1 of the private key; `verify` compares in constant time. */
async function signed(privateKey: string, payload: string, signature: string): Promise<boolean> {
  const secret = await crypto.subtle.digest('SHA-1', bytes(privateKey));
  const hash = { name: 'HMAC', hash: 'SHA-1' };
  const key = await crypto.subtle.importKey('raw', secret, hash, false, ['verify']);
  // A form's line end may be lost on the way: the official clients try both.
  for (const sent of [payload, `${payload}\n`]) {
    if (await crypto.subtle.verify('HMAC', key, hex(signature), bytes(sent))) return true;
  }
  return false;
}

const decoded = (payload: string) =>
  new TextDecoder().decode(Uint8Array.from(atob(payload), (letter) => letter.charCodeAt(0)));

function notificationOf(xml: Xml | undefined): Notification {
  const about = childOf(xml, 'subject');
  const subject = childOf(about, 'api-error-response') ?? about;
  const subscription = childOf(subject, 'subscription');
  const transaction = childOf(subject, 'transaction');
  const dispute = childOf(subject, 'dispute');
  return {
    kind: textOf(xml, 'kind'),
    at: Date.parse(textOf(xml, 'timestamp')),
    subscription: subscription ? subscriptionOf(subscription) : null,
    transaction: transaction
      ? {
          id: textOf(transaction, 'id'),
          orderId: textOf(transaction, 'order-id'),
          status: textOf(transaction, 'status'),
          amount: minorUnits(textOf(transaction, 'amount')),
        }
      : null,
    dispute: dispute
      ? {
          id: textOf(dispute, 'id'),
          status: textOf(dispute, 'status'),
          amount: minorUnits(textOf(dispute, 'amount')),
          transactionId: textOf(dispute, 'transaction', 'id'),
        }
      : null,
  };
}

/**
 * A webhook's two fields as one notification.
 *
 * @param signature `bt_signature`: pairs `public key|hex`, joined by `&`
 * @param payload `bt_payload`, exactly as it was posted
 * @returns null when it is not signed with our key
 */
export async function verifyWebhook(
  env: Env,
  signature: string,
  payload: string,
): Promise<Notification | null> {
  const { publicKey, privateKey } = braintreeCredentials(env);
  if (!wellFormed.test(signature)) return null;
  const ours = signature
    .split('&')
    .map((pair) => pair.split('|'))
    .find(([name]) => name === publicKey)?.[1];
  if (!ours || /[^A-Za-z0-9+=/\n]/.test(payload)) return null;
  if (!(await signed(privateKey, payload, ours))) return null;
  return notificationOf(childOf(parseXml(decoded(payload)), 'notification'));
}
