import type { Sandbox } from './call.ts';
import { disputeFields, saleFields, subscriptionFields } from './rest/views.ts';
import { document } from './rest/xml.ts';
import type { Dispute, Subscription, Transaction } from './state.ts';

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
