import * as v from 'valibot';
import type { Env } from '../../env.ts';
import { isSmsStatus, type StatusReport } from '../rules/sms-delivery.ts';
import { optedOut, refusedNumber } from '../rules/twilio-errors.ts';

/** A text that goes out. */
export interface OutgoingSms {
  /** E.164. */
  to: string;
  /** A number of ours, or the name that its country admits. */
  from: string;
  body: string;
  /** Where the vendor is to tell how the text fares. */
  statusCallback: string;
}

/** What became of handing a text over. */
type HandedOver =
  | { end: 'sent'; sid: string }
  | { end: 'refused'; code: number }
  | { end: 'stopped' };

/** A company that sends texts. None of its calls has the recipient's number in its address. */
export interface SmsProvider {
  /**
   * Hands a text over.
   *
   * @returns `refused` when this number will never get it, `stopped` when its owner told the vendor
   * to send no more
   * @throws TextNotTaken when it was not taken, TextUnclear when nobody knows
   */
  send(text: OutgoingSms): Promise<HandedOver>;
  /**
   * Finds a text that was taken after all; its id is null where there are too many to look at.
   *
   * @param since ms since 1970, when it was handed over
   * @throws TextUnclear when the vendor does not say
   */
  find(text: OutgoingSms, since: number): Promise<{ sid: string | null } | null>;
  /** How a text fares now; null when the vendor does not say so. */
  look(sid: string): Promise<StatusReport | null>;
}

/** The text was not taken; it may be sent again. The message quotes no text. */
export class SmsRefusedError extends Error {
  override name = 'TextNotTaken';
}

/** Nobody knows whether the text was taken. The message quotes no text. */
export class SmsAmbiguousError extends Error {
  override name = 'TextUnclear';
}

const host = 'https://api.twilio.com';
/** Ms that the vendor may take. */
const timeLimit = 10_000;
/** Pages of 1,000 that are read to find a text. */
const pages = 5;
/** Ms by which the vendor's clock may differ from ours. */
const skew = 60_000;

/** What its yes looks like; a page of somebody in between is none. */
const taken = v.object({ sid: v.string() });
const refusal = v.object({ code: v.number() });
const list = v.object({
  messages: v.array(v.object({ to: v.string(), body: v.string(), sid: v.string() })),
  next_page_uri: v.nullable(v.string()),
});

const message = v.object({ status: v.string(), error_code: v.nullish(v.number(), null) });

const reasonOf = (error: unknown) => (error instanceof Error ? error.name : 'thrown');

async function call(env: Env, path: string, body?: URLSearchParams): Promise<Response> {
  const { TWILIO_ACCOUNT_SID: account, TWILIO_AUTH_TOKEN: token } = env;
  if (!account || !token) throw new SmsRefusedError('not_configured');
  try {
    return await fetch(`${host}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Basic ${btoa(`${account}:${token}`)}` },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeLimit),
    });
  } catch (error) {
    throw new SmsAmbiguousError(reasonOf(error));
  }
}

const messagesOf = (env: Env) => `/2010-04-01/Accounts/${env.TWILIO_ACCOUNT_SID}/Messages.json`;

async function send(env: Env, text: OutgoingSms): Promise<HandedOver> {
  const { to, from, body, statusCallback } = text;
  const form = new URLSearchParams({
    To: to,
    From: from,
    Body: body,
    StatusCallback: statusCallback,
  });
  const response = await call(env, messagesOf(env), form);
  if (response.ok) {
    const read = v.safeParse(taken, await response.json().catch(() => null));
    if (read.success) return { end: 'sent', sid: read.output.sid };
    throw new SmsAmbiguousError(`${response.status} unreadable`);
  }
  if (response.status >= 500) throw new SmsAmbiguousError(`${response.status}`);
  const read = v.safeParse(refusal, await response.json().catch(() => null));
  const code = read.success ? read.output.code : 0;
  if (code === optedOut) return { end: 'stopped' };
  if (refusedNumber.has(code)) return { end: 'refused', code };
  throw new SmsRefusedError(`${response.status} ${code}`);
}

async function find(env: Env, { to, from, body }: OutgoingSms, since: number) {
  const after = new Date(since - skew).toISOString().replace(/\.\d+/, '');
  const asked = new URLSearchParams({ From: from, 'DateSent>': after, PageSize: '1000' });
  let path: string | null = `${messagesOf(env)}?${asked}`;
  for (let page = 0; path !== null && page < pages; page += 1) {
    const response: Response = await call(env, path);
    const read = v.safeParse(list, await response.json().catch(() => null));
    if (!response.ok || !read.success) throw new SmsAmbiguousError(`${response.status}`);
    const found = read.output.messages.find((one) => one.to === to && one.body === body);
    if (found) return { sid: found.sid };
    path = read.output.next_page_uri;
  }
  // Too many to look at: better no text than two.
  return path === null ? null : { sid: null };
}

async function look(env: Env, sid: string): Promise<StatusReport | null> {
  const path = messagesOf(env).replace('.json', `/${encodeURIComponent(sid)}.json`);
  const response = await call(env, path);
  const read = v.safeParse(message, await response.json().catch(() => null));
  if (!response.ok || !read.success || !isSmsStatus(read.output.status)) return null;
  return { sid, status: read.output.status, code: read.output.error_code };
}

/** Texts through Twilio, which has no idempotency keys: what is unclear is looked for, not repeated. */
export function twilio(env: Env): SmsProvider {
  return {
    send: (text) => send(env, text),
    find: (text, since) => find(env, text, since),
    look: (sid) => look(env, sid),
  };
}
