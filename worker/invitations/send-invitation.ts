import { codeHash, newCode } from '../accounts/one-time-codes.ts';
import type { Env } from '../env.ts';
import type { ErrorCode } from '../errors.ts';
import { insertCode, insertInvitation } from './invitation-index.ts';
import type { Contact, InviteeStorage } from './invitee-storage.ts';
import { phoneHash } from './phone-hash.ts';
import type { Draft } from './rules/invitation.ts';
import { prefixOf } from './rules/sms-limits.ts';
import { smsCopyVersion } from './sms/sms-copy.ts';
import { smsLimiterOf } from './sms/sms-limiter-object.ts';

/** What a requester asks for, and of whom. */
export interface InvitationRequest extends Omit<Draft, 'id' | 'numberEnd'>, Contact {
  /** Name of the person's object: the keyed hash of the number. */
  person: string;
  /** What the text costs, in cents. */
  cents: number;
  /** Id of the requester's browser, which must not answer for the person. */
  browser: string;
}

type No = { refusal: ErrorCode };
type Known = { id: string; code: string | null };

async function newCodeFor({ account, person, browser }: InvitationRequest, env: Env) {
  const code = newCode();
  const hash = await codeHash(code);
  await insertCode(env.DB, { hash, person, account, browser }, Date.now());
  return { code, hash };
}

/** Another code for the question that is pending, or seems to be to who asked. */
async function codeFor(
  person: InviteeStorage,
  id: string,
  asking: InvitationRequest,
  env: Env,
): Promise<Known> {
  if (asking.via === 'text') return { id, code: null };
  const { code, hash } = await newCodeFor(asking, env);
  person.addCode(hash, id);
  return { id, code };
}

/** Asks what was counted; null where the person may not be asked any more. */
async function askNow(
  person: InviteeStorage,
  asking: InvitationRequest,
  env: Env,
): Promise<Known | null> {
  const { account, person: name, via, duration, name: asker } = asking;
  const { e164, country, zones, site } = asking;
  const { code, hash } = await newCodeFor(asking, env);
  const id = crypto.randomUUID();
  await insertInvitation(env.DB, { id, account, person: name }, Date.now());
  // Meanwhile the person may have said no to everybody.
  const now = Date.now();
  if (person.isResting(account, now)) return null;
  const draft = { id, account, duration, via, name: asker, numberEnd: e164.slice(-2) };
  const contact = { e164, country, zones, site };
  person.ask(draft, { code, hash, version: smsCopyVersion }, contact, now);
  return { id, code: via === 'link' ? code : null };
}

async function askNew(
  person: InviteeStorage,
  asking: InvitationRequest,
  env: Env,
): Promise<Known | No> {
  const { account, person: number, e164, country, cents } = asking;
  if (person.isResting(account, Date.now())) return { refusal: 'number_unavailable' };
  const prefix = await phoneHash(env, prefixOf(e164));
  const wanted = { account, number, prefix, country: country ?? '', cents };
  const refusal = await smsLimiterOf(env).take(wanted);
  if (refusal) return { refusal };
  const asked = await askNow(person, asking, env).catch(() => undefined);
  if (asked) return asked;
  await smsLimiterOf(env).giveBack(wanted);
  return { refusal: asked === null ? 'number_unavailable' : 'invitation_failed' };
}

/**
 * Asks a person, or finds the question that is pending between the two. One call at a time for the
 * same two, so that it is asked and counted once.
 *
 * @returns the invitation's id, and a code that opens it where one was made
 */
export async function sendInvitation(
  person: InviteeStorage,
  asking: InvitationRequest,
  env: Env,
): Promise<Known | No> {
  const pending = person.pendingOf(asking.account, Date.now());
  if (!pending) return askNew(person, asking, env);
  return codeFor(person, pending.id, asking, env).catch(() => ({ refusal: 'invitation_failed' }));
}
