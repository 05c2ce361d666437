import { createHash } from 'node:crypto';
import { dayMs } from '../../../platform/durations.ts';
import type { Env } from '../../../platform/env.ts';
import { attemptIdOf, paymentIdOf } from '../../../platform/types.ts';
import type { GatewayEvent } from '../../purchase/gateway.ts';
import { braintreeCredentials, hasBraintree } from './client.ts';
import { childOf, parseXml, textOf, type Xml } from './xml.ts';

/** The notification kinds that are handled; `WebhookNotification.Kind` of Braintree's client has them all. */
export const braintreeEvents: readonly string[] = [
  'subscription_billing_skipped',
  'subscription_canceled',
  'subscription_charged_successfully',
  'subscription_charged_unsuccessfully',
  'subscription_expired',
  'subscription_trial_ended',
  'subscription_went_active',
  'subscription_went_past_due',
  'dispute_opened',
  'dispute_under_review',
  'dispute_disputed',
  'dispute_accepted',
  'dispute_auto_accepted',
  'dispute_expired',
  'dispute_lost',
  'dispute_won',
  'transaction_disbursed',
  'transaction_retried',
  'transaction_reviewed',
  'transaction_settled',
  'transaction_settlement_declined',
  'refund_failed',
];

const clockToleranceMs = 300_000;
/** Braintree retries a notification for a day, with the timestamp and signature of the first try. */
const maxAgeMs = dayMs + clockToleranceMs;

const bytes = (text: string) => new TextEncoder().encode(text);
const fromHex = (text: string) =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');

/** `public key|40 hex digits`, one pair for each API key of the merchant, joined by `&`. */
const signaturePattern = /^\w+\|[\da-f]{40}(&\w+\|[\da-f]{40})*$/;

/** HMAC-SHA1 under the SHA-1 of the private key; `verify` compares in constant time. */
async function isSigned(privateKey: string, payload: string, signature: string): Promise<boolean> {
  const secret = await crypto.subtle.digest('SHA-1', bytes(privateKey));
  const hash = { name: 'HMAC', hash: 'SHA-1' };
  const key = await crypto.subtle.importKey('raw', secret, hash, false, ['verify']);
  // A form may lose the trailing newline, so both are tried, as in the official clients.
  for (const text of [payload, `${payload}\n`]) {
    if (await crypto.subtle.verify('HMAC', key, fromHex(signature), bytes(text))) return true;
  }
  return false;
}

const decode = (payload: string) =>
  new TextDecoder().decode(Uint8Array.from(atob(payload), (char) => char.charCodeAt(0)));

async function verify(env: Env, signature: string, payload: string): Promise<Xml | null> {
  const { publicKey, privateKey } = braintreeCredentials(env);
  if (!signaturePattern.test(signature) || /[^A-Za-z0-9+=/\n]/.test(payload)) return null;
  const ours = signature
    .split('&')
    .map((pair) => pair.split('|'))
    .find(([name]) => name === publicKey)?.[1];
  if (!ours || !(await isSigned(privateKey, payload, ours))) return null;
  return childOf(parseXml(decode(payload)), 'notification') ?? null;
}

/** Braintree sends no event id, so it is a hash of the payload. @returns null unless signed in the last day */
export async function readBraintreeWebhook(
  env: Env,
  { body }: { body: string },
  now: number,
): Promise<GatewayEvent | null> {
  if (!hasBraintree(env)) return null;
  const form = new URLSearchParams(body);
  const payload = form.get('bt_payload') ?? '';
  // What Braintree did not sign is refused, and the refusal is logged.
  const xml = await verify(env, form.get('bt_signature') ?? '', payload).catch(() => null);
  if (!xml) return null;
  const createdAt = Date.parse(textOf(xml, 'timestamp'));
  const ageMs = now - createdAt;
  if (!(ageMs >= -clockToleranceMs && ageMs <= maxAgeMs)) return null;
  const about = childOf(xml, 'subject');
  const subject = childOf(about, 'api-error-response') ?? about;
  const paymentId =
    textOf(subject, 'dispute', 'transaction', 'id') || textOf(subject, 'transaction', 'id');
  return {
    gateway: 'braintree',
    id: sha256Hex(payload),
    type: textOf(xml, 'kind'),
    account: null,
    attempt: attemptIdOf(textOf(subject, 'transaction', 'order-id')) || null,
    customerId: null,
    subscriptionId: textOf(subject, 'subscription', 'id') || null,
    paymentId: paymentId ? paymentIdOf(paymentId) : null,
    createdAt,
  };
}
