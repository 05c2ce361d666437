import type { SyncKvStorage } from '@cloudflare/workers-types';
import type { Env } from '../env.ts';
import type { ErrorCode } from '../errors.ts';
import { hmacOf } from '../http/hmac.ts';
import type { Log } from '../log.ts';
import { parsePhone } from '../phone-lookup/parse-phone.ts';
import type { InviteeStorage } from './invitee-storage.ts';
import { phoneHash } from './phone-hash.ts';
import { prefixOf } from './rules/sms-limits.ts';
import { optOutCodeSms, statusCallbackOf } from './sms/sms-copy.ts';
import { ruleOf, senderOf } from './sms/sms-countries.ts';
import { smsLimiterOf } from './sms/sms-limiter-object.ts';
import { type OutgoingSms, SmsAmbiguousError, SmsRefusedError, twilio } from './sms/twilio.ts';

/** How long a code works, in ms. */
const lifetime = 10 * 60_000;
/** How many wrong tries end a code, and how often a day one may be asked for. */
const mostTries = 5;
const mostCodes = 5;
const day = 24 * 60 * 60_000;

interface Issued {
  /** Keyed hash of the code. */
  hash: string;
  /** Ms since 1970. */
  expiresAt: number;
  tries: number;
}

/**
 * The code that proves who has the number. Whoever asks has the link too, so the link alone must not
 * let anybody block the number for everyone.
 */
export class OptOutCode {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  /** Counts a request for a code. @returns false when there were enough today, in UTC */
  request(now: number): boolean {
    const today = Math.floor(now / day);
    const before = this.#kv.get<{ day: number; count: number }>('stop-code-requests');
    const count = before?.day === today ? before.count : 0;
    if (count >= mostCodes) return false;
    this.#kv.put('stop-code-requests', { day: today, count: count + 1 });
    return true;
  }

  /** Replaces the code before. */
  issue(hash: string, now: number): void {
    const issued: Issued = { hash, expiresAt: now + lifetime, tries: 0 };
    this.#kv.put('stop-code', issued);
  }

  /** Uses up the code if this is it, and counts a wrong try if not. */
  redeem(hash: string, now: number): boolean {
    const issued = this.#kv.get<Issued>('stop-code');
    if (!issued) return false;
    const right = issued.hash === hash && now < issued.expiresAt;
    const tries = issued.tries + 1;
    if (right || tries >= mostTries) this.#kv.delete('stop-code');
    else this.#kv.put('stop-code', { ...issued, tries });
    return right;
  }
}

function newDigits(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return String(random % 1_000_000).padStart(6, '0');
}

/** @param name of the person's object */
export const optOutCodeHash = (env: Env, name: string, digits: string): Promise<string> =>
  hmacOf(env.NUMBER_SECRET ?? '', 'opt-out-code', `${name}:${digits}`);

/** Sends the text once. One that gets lost is asked for again, on the page. */
async function send(person: InviteeStorage, text: OutgoingSms, env: Env, log: Log): Promise<void> {
  try {
    const { end: state } = await twilio(env).send(text);
    if (state === 'stopped') person.stopAll(Date.now());
    log(state === 'sent' ? 'info' : 'warn', 'text', { key: 'stop_code', state });
  } catch (error) {
    const known = error instanceof SmsRefusedError || error instanceof SmsAmbiguousError;
    const reason = known ? error.message : error instanceof Error ? error.name : 'thrown';
    log('warn', 'sms_failed', { key: 'stop_code', vendor: 'twilio', reason });
  }
}

interface Wanted {
  /** The number as the person typed it. */
  phone: string;
  /** Origin of our pages. */
  site: string;
  /** Name of the person's object. */
  name: string;
}

/**
 * Makes a code for who has the number.
 *
 * The answer is the same, and takes the same calls, for a person who said STOP before: whoever holds
 * the link may be who asks, and must not learn of it. They get no text, as they want none.
 *
 * @returns why there is none, or what sends it; that is not waited for, as its time would tell
 */
export async function makeOptOutCode(
  person: InviteeStorage,
  code: OptOutCode,
  { phone: typed, site, name }: Wanted,
  env: Env,
  log: Log,
): Promise<{ refusal: ErrorCode } | { send: () => Promise<void> }> {
  if (!code.request(Date.now())) return { refusal: 'opt_out_code_not_sent' };
  const phone = parsePhone(typed, person.country ?? '');
  if (!phone || (await phoneHash(env, phone.e164)) !== name)
    return { refusal: 'number_not_invited' };
  const { e164: to, country } = phone;
  const rule = ruleOf(env, country, log);
  const from = senderOf(env, rule);
  if (!rule || !from) return { refusal: 'opt_out_code_not_sent' };
  const prefix = await phoneHash(env, prefixOf(to));
  const counted = {
    account: null,
    number: null,
    prefix,
    country: country ?? '',
    cents: rule.cents,
  };
  if (await smsLimiterOf(env).take(counted)) return { refusal: 'opt_out_code_not_sent' };
  const digits = newDigits();
  code.issue(await optOutCodeHash(env, name, digits), Date.now());
  const body = optOutCodeSms(env, digits, country, site);
  const statusCallback = statusCallbackOf(site, { kind: 'stop_code', id: crypto.randomUUID() });
  const text = { to, from, body, statusCallback };
  return { send: async () => void (person.stopped || (await send(person, text, env, log))) };
}
