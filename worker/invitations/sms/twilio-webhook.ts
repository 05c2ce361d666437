import type { Env } from '../../env.ts';
import { isSmsStatus, type StatusReport } from '../rules/sms-delivery.ts';

/** A text that somebody sent us. */
export interface IncomingSms {
  /** As the vendor has it, E.164. */
  from: string;
  body: string;
  /** The vendor's id of the text. */
  id: string;
  /** What the vendor itself took it for, and has answered to the sender; null for anything else. */
  handled: Keyword | null;
}

/** What carriers want heard: no more, again, and who is that. */
export type Keyword = 'stop' | 'start' | 'help';
const handledAs: Record<string, Keyword> = { STOP: 'stop', START: 'start', HELP: 'help' };

const bytes = (text: string) => new TextEncoder().encode(text);

function decoded(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  } catch {
    return null;
  }
}

/** What Twilio signs: the address that it called, then every field by name with its value. */
const signedText = (url: string, form: URLSearchParams) =>
  [...form.entries()]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .reduce((text, [name, value]) => `${text}${name}${value}`, url);

/** A webhook as it was posted: the address that Twilio called, and the form-encoded body. */
export interface Posted {
  url: string;
  body: string;
  signature: string;
}

/** The fields of a webhook; null for anything that Twilio did not sign for us. */
async function verified(
  env: Env,
  { url, body, signature }: Posted,
): Promise<URLSearchParams | null> {
  const given = decoded(signature);
  if (!env.TWILIO_AUTH_TOKEN || !given) return null;
  const form = new URLSearchParams(body);
  const how = { name: 'HMAC', hash: 'SHA-1' };
  const secret = bytes(env.TWILIO_AUTH_TOKEN);
  const key = await crypto.subtle.importKey('raw', secret, how, false, ['verify']);
  const signed = await crypto.subtle.verify('HMAC', key, given, bytes(signedText(url, form)));
  return signed && form.get('AccountSid') === env.TWILIO_ACCOUNT_SID ? form : null;
}

/** How a text of ours fares. */
export interface SmsStatusCallback extends StatusReport {
  /** As the vendor has it, E.164. */
  to: string;
}

/**
 * Reads what Twilio tells of a text that we sent; null for anything that it did not sign for us, or that
 * says nothing. https://www.twilio.com/docs/messaging/guides/outbound-message-status-in-status-callbacks
 */
export async function readStatusCallback(
  env: Env,
  posted: Posted,
): Promise<SmsStatusCallback | null> {
  const form = await verified(env, posted);
  const [to, sid, status] = ['To', 'MessageSid', 'MessageStatus'].map((name) => form?.get(name));
  if (!to || !sid || !status || !isSmsStatus(status)) return null;
  return { to, sid, status, code: Number(form?.get('ErrorCode')) || null };
}

/** Reads a text that came in; null for anything that Twilio did not sign for us. */
export async function readIncomingSms(env: Env, posted: Posted): Promise<IncomingSms | null> {
  const form = await verified(env, posted);
  if (!form) return null;
  const [from, text] = [form.get('From'), form.get('Body')];
  if (from === null || text === null) return null;
  const handled = handledAs[form.get('OptOutType') ?? ''] ?? null;
  return { from, body: text, id: form.get('MessageSid') ?? '', handled };
}
