import type { Env } from '../../platform/env.ts';
import { isSmsStatus, type StatusReport } from '../rules/sms-delivery.ts';

export interface IncomingSms {
  from: string;
  body: string;
  id: string;
  /** The keyword that the vendor itself recognized and answered; null for none. */
  handled: SmsKeyword | null;
}

export type SmsKeyword = 'stop' | 'start' | 'help';
const handledAs: Record<string, SmsKeyword> = { STOP: 'stop', START: 'start', HELP: 'help' };

const bytes = (text: string) => new TextEncoder().encode(text);

function decoded(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null; // Not Base64, and so no signature of Twilio.
  }
}

/** Twilio signs the URL followed by every field's name and value, sorted by name. */
const signedText = (url: string, form: URLSearchParams) =>
  [...form.entries()]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .reduce((text, [name, value]) => `${text}${name}${value}`, url);

export interface WebhookRequest {
  url: string;
  body: string;
  signature: string;
}

async function verified(
  env: Env,
  { url, body, signature }: WebhookRequest,
): Promise<URLSearchParams | null> {
  const given = decoded(signature);
  if (!env.TWILIO_AUTH_TOKEN || !given) return null;
  const form = new URLSearchParams(body);
  const algorithm = { name: 'HMAC', hash: 'SHA-1' };
  const secret = bytes(env.TWILIO_AUTH_TOKEN);
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['verify']);
  const signed = await crypto.subtle.verify('HMAC', key, given, bytes(signedText(url, form)));
  return signed && form.get('AccountSid') === env.TWILIO_ACCOUNT_SID ? form : null;
}

export interface SmsStatusCallback extends StatusReport {
  to: string;
}

/** Null unless signed and known: twilio.com/docs/messaging/guides/outbound-message-status-in-status-callbacks */
export async function readStatusCallback(
  env: Env,
  request: WebhookRequest,
): Promise<SmsStatusCallback | null> {
  const form = await verified(env, request);
  const [to, sid, status] = ['To', 'MessageSid', 'MessageStatus'].map((name) => form?.get(name));
  if (!to || !sid || !status || !isSmsStatus(status)) return null;
  return { to, sid, status, code: Number(form?.get('ErrorCode')) || null };
}

export async function readIncomingSms(
  env: Env,
  request: WebhookRequest,
): Promise<IncomingSms | null> {
  const form = await verified(env, request);
  if (!form) return null;
  const [from, text] = [form.get('From'), form.get('Body')];
  if (from === null || text === null) return null;
  const handled = handledAs[form.get('OptOutType') ?? ''] ?? null;
  return { from, body: text, id: form.get('MessageSid') ?? '', handled };
}
