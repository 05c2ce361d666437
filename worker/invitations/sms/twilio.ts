import * as v from 'valibot';
import type { Env } from '../../platform/env.ts';
import { reasonOf } from '../../platform/log.ts';
import { jsonOf } from '../../platform/read-json.ts';
import {
  invalidNumberErrors,
  isSmsStatus,
  optedOutError,
  type StatusReport,
} from '../rules/sms-delivery.ts';

export interface OutgoingSms {
  to: string;
  from: string;
  body: string;
  statusCallback: string;
}

type SubmitResult =
  | { kind: 'sent'; sid: string }
  | { kind: 'refused'; code: number }
  | { kind: 'opted_out' };

/** No call has the recipient's number in its URL. */
export interface SmsProvider {
  /** @returns `refused` when the number cannot get SMS @throws SmsRefusedError, SmsAmbiguousError */
  send(sms: OutgoingSms): Promise<SubmitResult>;
  /**
   * Finds an SMS whose submission was ambiguous; null when the vendor does not have it. The id is null
   * when the list is too long to search: then the SMS counts as found.
   * @param since time of the submission, ms since 1970
   * @throws SmsAmbiguousError when the vendor does not answer
   */
  find(sms: OutgoingSms, since: number): Promise<{ sid: string | null } | null>;
  readStatus(sid: string): Promise<StatusReport | null>;
}

/** The SMS was not accepted and may be retried. The message contains nothing of it. */
export class SmsRefusedError extends Error {
  override name = 'SmsRefusedError';
}

/** The SMS may have been accepted. The message contains nothing of it. */
export class SmsAmbiguousError extends Error {
  override name = 'SmsAmbiguousError';
}

const host = 'https://api.twilio.com';
const timeoutMs = 10_000;
const maxPages = 5;
const clockSkewMs = 60_000;

const accepted = v.object({ sid: v.string() });
const refusal = v.object({ code: v.number() });
const list = v.object({
  messages: v.array(
    v.object({ to: v.string(), body: v.string(), sid: v.string(), date_created: v.string() }),
  ),
  next_page_uri: v.nullable(v.string()),
});

const message = v.object({ status: v.string(), error_code: v.nullish(v.number(), null) });

export const smsFailureReason = (error: unknown): string =>
  error instanceof SmsRefusedError || error instanceof SmsAmbiguousError
    ? error.message
    : reasonOf(error);

async function call(env: Env, path: string, body?: URLSearchParams): Promise<Response> {
  const { TWILIO_ACCOUNT_SID: account, TWILIO_AUTH_TOKEN: token } = env;
  if (!account || !token) throw new SmsRefusedError('not_configured');
  try {
    return await fetch(`${host}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Basic ${btoa(`${account}:${token}`)}` },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    throw new SmsAmbiguousError(reasonOf(error));
  }
}

const messagesOf = (env: Env) => `/2010-04-01/Accounts/${env.TWILIO_ACCOUNT_SID}/Messages.json`;

async function send(env: Env, sms: OutgoingSms): Promise<SubmitResult> {
  const { to, from, body, statusCallback } = sms;
  const form = new URLSearchParams({
    To: to,
    From: from,
    Body: body,
    StatusCallback: statusCallback,
  });
  const response = await call(env, messagesOf(env), form);
  if (response.ok) {
    const read = v.safeParse(accepted, await jsonOf(response));
    if (read.success) return { kind: 'sent', sid: read.output.sid };
    throw new SmsAmbiguousError(`${response.status} unreadable`);
  }
  if (response.status >= 500) throw new SmsAmbiguousError(`${response.status}`);
  const read = v.safeParse(refusal, await jsonOf(response));
  const code = read.success ? read.output.code : 0;
  if (code === optedOutError) return { kind: 'opted_out' };
  if (invalidNumberErrors.has(code)) return { kind: 'refused', code };
  throw new SmsRefusedError(`${response.status} ${code}`);
}

/**
 * Reads the newest pages. The filter `DateSent>` would hide an SMS that still waits in Twilio's queue, because its
 * `date_sent` is null: twilio.com/docs/messaging/api/message-resource
 */
async function find(env: Env, { to, from, body }: OutgoingSms, since: number) {
  const query = new URLSearchParams({ From: from, PageSize: '1000' });
  let path: string | null = `${messagesOf(env)}?${query}`;
  for (let page = 0; path !== null && page < maxPages; page += 1) {
    const response: Response = await call(env, path);
    const read = v.safeParse(list, await jsonOf(response));
    if (!response.ok || !read.success) throw new SmsAmbiguousError(`${response.status}`);
    const { messages } = read.output;
    const found = messages.find((one) => one.to === to && one.body === body);
    if (found) return { sid: found.sid };
    const isOlder = Date.parse(messages.at(-1)?.date_created ?? '') < since - clockSkewMs;
    if (isOlder) return null;
    path = read.output.next_page_uri;
  }
  // Too many to search. A missing SMS is better than two.
  return path === null ? null : { sid: null };
}

async function readStatus(env: Env, sid: string): Promise<StatusReport | null> {
  const path = messagesOf(env).replace('.json', `/${encodeURIComponent(sid)}.json`);
  const response = await call(env, path);
  const read = v.safeParse(message, await jsonOf(response));
  if (!response.ok || !read.success || !isSmsStatus(read.output.status)) return null;
  return { sid, status: read.output.status, code: read.output.error_code };
}

/** Twilio has no idempotency keys: an ambiguous submission is searched for, not repeated. */
export function twilio(env: Env): SmsProvider {
  return {
    send: (sms) => send(env, sms),
    find: (sms, since) => find(env, sms, since),
    readStatus: (sid) => readStatus(env, sid),
  };
}
