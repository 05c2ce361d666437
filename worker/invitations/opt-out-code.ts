import type { SyncKvStorage } from '@cloudflare/workers-types';
import { zonesOfNumber } from '../phone-lookup/numbering-data.ts';
import { parsePhone } from '../phone-lookup/parse-phone.ts';
import { canGetSms, countryRule } from '../phone-lookup/sms-reach.ts';
import { dayMs } from '../platform/durations.ts';
import type { Env } from '../platform/env.ts';
import { type Refused, refused } from '../platform/errors.ts';
import { hmacOf, randomHex } from '../platform/hmac.ts';
import { logger } from '../platform/log.ts';
import type { AccountId } from '../platform/types.ts';
import { phoneHash } from './invitation-index.ts';
import type { InviteeStorage } from './invitee-storage.ts';
import { isSuspended } from './requester-right.ts';
import { nextDaytime } from './rules/quiet-hours.ts';
import { prefixOf } from './rules/sms-limits.ts';
import { optOutCodeSms, smsTextsFor, statusCallbackUrl } from './sms/sms-copy.ts';
import { senderFor } from './sms/sms-countries.ts';
import { reserveSms } from './sms/sms-limiter-object.ts';
import { type OutgoingSms, smsFailureReason, twilio } from './sms/twilio.ts';

const log = logger();

/** As long as it counts, so whoever uses up the codes of a number has texted valid ones to its owner. */
const lifetimeMs = dayMs;
const maxTries = 5;
const maxCodes = 5;
/** By one network, or through one requester's links. */
const maxCodesOfCaller = 3;
/** Through the links of a requester whose mailbox nobody has proven. */
const maxCodesUnconfirmed = 1;
const maxCallers = 1000;

interface IssuedCode {
  /** Null when no SMS carries it. */
  hash: string | null;
  /** Names the page that asked for the code. */
  request: string;
  network: string;
  account: AccountId;
  expiresAt: number;
}

/** Who enters digits: the page that asked for a code, else the network. */
export interface Caller {
  request: string | null;
  network: string;
}

/** Proves who owns the number: the requester has the link too, so the link alone must not block it. */
export class OptOutCode {
  readonly #kv: SyncKvStorage;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  /**
   * Counts a code for the right number. Codes that no SMS carries have a count of their own.
   * @returns false when too many are valid; the owner has texts with them
   */
  issue(
    code: Omit<IssuedCode, 'expiresAt'>,
    now: number,
    maxOfAccount = maxCodesOfCaller,
  ): boolean {
    const live = this.#live(now);
    const alike = live.filter(({ hash }) => (hash === null) === (code.hash === null));
    const ofNetwork = alike.filter(({ network }) => network === code.network);
    const ofAccount = alike.filter(({ account }) => account === code.account);
    if (alike.length >= maxCodes || ofNetwork.length >= maxCodesOfCaller) return false;
    if (ofAccount.length >= maxOfAccount) return false;
    this.#kv.put('opt-out-codes', [...live, { ...code, expiresAt: now + lifetimeMs }]);
    return true;
  }

  /** Of a code that was not sent. */
  withdraw(request: string, now: number): void {
    const others = this.#live(now).filter((one) => one.request !== request);
    this.#kv.put('opt-out-codes', others);
  }

  /** Consumes a correct code. A wrong try counts against its caller only. */
  redeem(hash: string, { request, network }: Caller, now: number): boolean {
    const codes = this.#live(now);
    const page = codes.find((one) => one.request === request)?.request;
    const caller = page ?? network;
    const tries =
      codes.length > 0 ? (this.#kv.get<Record<string, number>>('opt-out-tries') ?? {}) : {};
    const isFull = !page && Object.keys(tries).length >= maxCallers;
    const count = (Object.hasOwn(tries, caller) && tries[caller]) || 0;
    if (codes.length === 0 || count >= maxTries || (isFull && count === 0)) return false;
    const isRight = codes.some((one) => one.hash === hash);
    if (isRight) this.#kv.delete('opt-out-codes');
    this.#kv.put('opt-out-tries', isRight ? {} : { ...tries, [caller]: count + 1 });
    return isRight;
  }

  /** Wrong tries are forgotten with the last code. */
  #live(now: number): IssuedCode[] {
    const codes = this.#kv.get<IssuedCode[]>('opt-out-codes') ?? [];
    const live = codes.filter(({ expiresAt }) => now < expiresAt);
    if (live.length === 0) this.#kv.delete('opt-out-tries');
    return live;
  }
}

function newDigits(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return String(random % 1_000_000).padStart(6, '0');
}

export const optOutCodeHash = (env: Env, inviteeKey: string, digits: string): Promise<string> =>
  hmacOf(env.PHONE_HASH_SECRET ?? '', 'opt-out-code', `${inviteeKey}:${digits}`);

/** Sends once, without retries: the invitee can request another code. */
async function send(invitee: InviteeStorage, sms: OutgoingSms, env: Env): Promise<void> {
  const type = 'opt_out_code';
  try {
    const { kind: state } = await twilio(env).send(sms);
    if (state === 'opted_out') invitee.optOut(Date.now());
    log(state === 'sent' ? 'info' : 'warn', 'sms_processed', { type, state });
  } catch (error) {
    log('warn', 'sms_failed', { type, vendor: 'twilio', reason: smsFailureReason(error) });
  }
}

export interface OptOutRequest {
  phone: string;
  site: string;
  inviteeKey: string;
  /** Keyed hash of the caller's network. */
  network: string;
  /** The requester whose link the caller has. */
  account: AccountId;
  /** Whether the requester's mailbox is proven. */
  isConfirmed: boolean;
}

type Prepared = Refused | { kind: 'prepared'; request: string; send: () => Promise<void> };

/** The number, if it is the invited one and may be texted now, as for an invitation. */
async function recipientOf(
  invitee: InviteeStorage,
  { phone: typedPhone, inviteeKey, account }: OptOutRequest,
  env: Env,
) {
  const reading = parsePhone(env, typedPhone, invitee.outbox.country ?? '', log);
  // A numbering plan that cannot be read is logged where it is read.
  const phone = await reading.catch(() => undefined);
  if (phone === undefined) return refused('opt_out_code_not_sent');
  if (!phone || (await phoneHash(env, phone.e164)) !== inviteeKey)
    return refused('number_not_invited');
  const { e164, country, type } = phone;
  const rule = countryRule(env, country, log);
  const from = senderFor(env, rule);
  if (!rule || !from) return refused('opt_out_code_not_sent');
  if (!canGetSms(type)) return refused('number_not_mobile');
  if (await isSuspended(env, account, invitee.identities.of(account)))
    return refused('opt_out_code_not_sent');
  const zones = await zonesOfNumber(env, e164, country, log);
  if (nextDaytime(zones, Date.now()) > Date.now()) return refused('opt_out_code_at_night');
  return { kind: 'recipient', e164, country, from, cents: rule.cents } as const;
}

/**
 * After an opt-out, or a block of the requester, no SMS is sent. Do not await `send`: its duration would reveal them.
 */
export async function prepareOptOutCode(
  invitee: InviteeStorage,
  code: OptOutCode,
  asked: OptOutRequest,
  env: Env,
): Promise<Prepared> {
  const recipient = await recipientOf(invitee, asked, env);
  if (recipient.kind === 'refused') return recipient;
  const { e164, country, from, cents } = recipient;
  const texts = await smsTextsFor(country, env, log);
  const prefix = await phoneHash(env, prefixOf(e164));
  const digits = newDigits();
  const hash = await optOutCodeHash(env, asked.inviteeKey, digits);
  const request = randomHex();
  const { network, account } = asked;
  const isSilent = invitee.blocks.holdFor(account);
  const issued = { hash: isSilent ? null : hash, request, network, account };
  // The response is the same, because the owner has valid codes.
  const max = asked.isConfirmed ? maxCodesOfCaller : maxCodesUnconfirmed;
  if (!code.issue(issued, Date.now(), max))
    return { kind: 'prepared', request, send: async () => {} };
  const counted = { account: null, number: null, prefix, country: country ?? '', cents };
  if (await reserveSms(env, counted)) {
    code.withdraw(request, Date.now());
    return refused('opt_out_code_not_sent');
  }
  const body = optOutCodeSms(env, texts, digits);
  const id = crypto.randomUUID();
  const statusCallback = statusCallbackUrl(asked.site, { kind: 'opt_out_code', id });
  const sms = { to: e164, from, body, statusCallback };
  return {
    kind: 'prepared',
    request,
    send: async () =>
      void (isSilent || invitee.blocks.holdFor(account) || (await send(invitee, sms, env))),
  };
}
