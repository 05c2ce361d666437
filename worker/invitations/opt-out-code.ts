import type { SyncKvStorage } from '@cloudflare/workers-types';
import { dayMs, minuteMs } from '../durations.ts';
import type { Env } from '../env.ts';
import { type Refused, refused } from '../errors.ts';
import { hmacOf } from '../http/hmac.ts';
import type { Log } from '../log.ts';
import { parsePhone } from '../phone-lookup/parse-phone.ts';
import { phoneHash } from './invitation-index.ts';
import type { InviteeStorage } from './invitee-storage.ts';
import { prefixOf } from './rules/sms-limits.ts';
import { optOutCodeSms, statusCallbackUrl } from './sms/sms-copy.ts';
import { countryRule, senderFor } from './sms/sms-countries.ts';
import { reserveSms } from './sms/sms-limiter-object.ts';
import { type OutgoingSms, smsFailureReason, twilio } from './sms/twilio.ts';

const lifetimeMs = 10 * minuteMs;
const maxTries = 5;
const maxCodes = 5;

interface IssuedCode {
  hash: string;
  expiresAt: number;
  tries: number;
}

/** Proves who owns the number: the requester has the link too, so the link alone must not block it. */
export class OptOutCode {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  countRequest(now: number): boolean {
    const today = Math.floor(now / dayMs);
    const before = this.#kv.get<{ day: number; count: number }>('opt-out-code-requests');
    const count = before?.day === today ? before.count : 0;
    if (count >= maxCodes) return false;
    this.#kv.put('opt-out-code-requests', { day: today, count: count + 1 });
    return true;
  }

  issue(hash: string, now: number): void {
    const issued: IssuedCode = { hash, expiresAt: now + lifetimeMs, tries: 0 };
    this.#kv.put('opt-out-code', issued);
  }

  /** Consumes a correct code, and counts a wrong try. */
  redeem(hash: string, now: number): boolean {
    const issued = this.#kv.get<IssuedCode>('opt-out-code');
    if (!issued) return false;
    const isRight = issued.hash === hash && now < issued.expiresAt;
    const tries = issued.tries + 1;
    if (isRight || tries >= maxTries) this.#kv.delete('opt-out-code');
    else this.#kv.put('opt-out-code', { ...issued, tries });
    return isRight;
  }
}

function newDigits(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return String(random % 1_000_000).padStart(6, '0');
}

export const optOutCodeHash = (env: Env, inviteeKey: string, digits: string): Promise<string> =>
  hmacOf(env.PHONE_HASH_SECRET ?? '', 'opt-out-code', `${inviteeKey}:${digits}`);

/** Sends once, without retries: the invitee can request another code. */
async function send(invitee: InviteeStorage, sms: OutgoingSms, env: Env, log: Log): Promise<void> {
  const type = 'opt_out_code';
  try {
    const { kind: state } = await twilio(env).send(sms);
    if (state === 'opted_out') invitee.optOut(Date.now());
    log(state === 'sent' ? 'info' : 'warn', 'sms_processed', { type, state });
  } catch (error) {
    log('warn', 'sms_failed', { type, vendor: 'twilio', reason: smsFailureReason(error) });
  }
}

interface OptOutRequest {
  phone: string;
  site: string;
  inviteeKey: string;
}

type Prepared = Refused | { kind: 'prepared'; send: () => Promise<void> };

/** After an earlier opt-out no SMS is sent. Do not await `send`: its duration would reveal the opt-out. */
export async function prepareOptOutCode(
  invitee: InviteeStorage,
  code: OptOutCode,
  { phone: typed, site, inviteeKey }: OptOutRequest,
  env: Env,
  log: Log,
): Promise<Prepared> {
  if (!code.countRequest(Date.now())) return refused('opt_out_code_not_sent');
  const reading = parsePhone(env, typed, invitee.country ?? '', log);
  const phone = await reading.catch(() => undefined);
  if (phone === undefined) return refused('opt_out_code_not_sent');
  if (!phone || (await phoneHash(env, phone.e164)) !== inviteeKey)
    return refused('number_not_invited');
  const { e164: to, country } = phone;
  const rule = countryRule(env, country, log);
  const from = senderFor(env, rule);
  if (!rule || !from) return refused('opt_out_code_not_sent');
  const prefix = await phoneHash(env, prefixOf(to));
  const { cents } = rule;
  const counted = { account: null, number: null, prefix, country: country ?? '', cents };
  if (await reserveSms(env, counted)) return refused('opt_out_code_not_sent');
  const digits = newDigits();
  code.issue(await optOutCodeHash(env, inviteeKey, digits), Date.now());
  const body = optOutCodeSms(env, digits, country, site);
  const statusCallback = statusCallbackUrl(site, { kind: 'opt_out_code', id: crypto.randomUUID() });
  const sms = { to, from, body, statusCallback };
  return {
    kind: 'prepared',
    send: async () => void (invitee.optedOut || (await send(invitee, sms, env, log))),
  };
}
