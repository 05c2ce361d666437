import { codeHash, newCode } from '../accounts/one-time-codes.ts';
import { accountDatabase } from '../platform/account-databases.ts';
import type { Env } from '../platform/env.ts';
import { type Refused, refused } from '../platform/errors.ts';
import { logger, reasonOf } from '../platform/log.ts';
import { codeInDatabase, numberInId } from '../platform/rules/database-number.ts';
import { type InvitationId, invitationIdOf } from '../platform/types.ts';
import {
  insertCode,
  insertInvitation,
  maxUnconfirmedPeople,
  phoneHash,
} from './invitation-index.ts';
import type { InviteeStorage } from './invitee-storage.ts';
import type { Invitation, InvitationDraft } from './rules/invitation.ts';
import { prefixOf } from './rules/sms-limits.ts';
import { smsCopyVersion } from './sms/sms-copy.ts';
import { cancelSms, reserveSms } from './sms/sms-limiter-object.ts';
import type { Contact } from './sms/sms-outbox.ts';

export interface InvitationRequest extends Omit<InvitationDraft, 'id' | 'numberEnd'>, Contact {
  /** Set if the message was kept, and D1 already has it. */
  id?: InvitationId;
  /** Name of the invitee's object: the keyed hash of the number. */
  inviteeKey: string;
  cents: number;
  /** The visitor id of the requester's browser, which must not answer for the invitee; null if it proved none. */
  requesterBrowser: string | null;
  /** The requester's browser, while nobody has proven the account's mailbox. */
  unconfirmedBrowser?: string;
  /** Hashes of the requester's mailbox, if somebody proved it, and browser; missing in messages that an older build kept. */
  identities?: string[];
}

/** @property code opens the invitation; null if an SMS carries it */
interface Invited {
  kind: 'invited';
  id: InvitationId;
  code: string | null;
}
type Result = Invited | Refused;

const log = logger();

const logFailure = ({ account, id }: InvitationRequest, error: unknown) =>
  log('error', 'invitation_failed', { account, invitation: id, reason: reasonOf(error) });

async function createCode({ account, inviteeKey, requesterBrowser }: InvitationRequest, env: Env) {
  const code = codeInDatabase(numberInId(account), newCode());
  const hash = await codeHash(code);
  const db = accountDatabase(env, account);
  await insertCode(db, { hash, inviteeKey, account, browser: requesterBrowser }, Date.now());
  return { code, hash };
}

/** Of one invitation. None is ended, because the invitee may need any of them to stop sharing. */
const maxCodes = 20;

async function repeat(
  invitee: InviteeStorage,
  { id, via, state, undeliverable }: Invitation,
  request: InvitationRequest,
  env: Env,
): Promise<Result> {
  const isUndelivered = undeliverable && state !== 'accepted';
  // Sharing until stopped needs reminders by SMS.
  if (isUndelivered && (request.via === 'sms' || request.duration === 'until_stopped'))
    return refused('number_not_mobile');
  // A link that its requester has must never show what an SMS shows.
  if (request.via === 'sms' && via === 'link') return refused('invitation_linked');
  if (request.via === 'sms') return { kind: 'invited', id, code: null };
  // The code in an SMS proves the number, so nobody else gets one.
  if (via === 'sms' && !isUndelivered) return refused('invitation_texted');
  if (invitee.codes.count(id) >= maxCodes) return refused('daily_invitation_limit');
  const { code, hash } = await createCode(request, env);
  if (isUndelivered) invitee.sendByLink(id, request.duration, Date.now());
  invitee.codes.add(hash, id, { name: request.name, duration: request.duration });
  return { kind: 'invited', id, code };
}

async function store(
  invitee: InviteeStorage,
  request: InvitationRequest,
  env: Env,
): Promise<Result | null> {
  const { account, inviteeKey, via, duration, name, e164, country, zones, site } = request;
  const { identities = [], unconfirmedBrowser } = request;
  const { code, hash } = await createCode(request, env);
  const id = request.id ?? invitationIdOf(crypto.randomUUID());
  const db = accountDatabase(env, account);
  const most = unconfirmedBrowser ? maxUnconfirmedPeople : null;
  const isKnown =
    request.id !== undefined ||
    (await insertInvitation(db, { id, account, inviteeKey }, Date.now(), most));
  if (!isKnown) return refused('daily_invitation_limit');
  const now = Date.now();
  if (invitee.isUnavailableTo(account, identities, now)) return null;
  const numberEnd = e164.slice(-2);
  const draft = { id, account, duration, via, name, numberEnd };
  const unconfirmed = unconfirmedBrowser ? { unconfirmedBrowser } : {};
  const contact = { e164, country, zones, site };
  invitee.addInvitation(
    { ...draft, ...unconfirmed },
    { code, hash, version: smsCopyVersion, identities },
    contact,
    now,
  );
  return { kind: 'invited', id, code: via === 'link' ? code : null };
}

async function create(
  invitee: InviteeStorage,
  request: InvitationRequest,
  env: Env,
): Promise<Result> {
  const { account, inviteeKey, e164, country, cents, identities = [] } = request;
  if (invitee.isUnavailableTo(account, identities, Date.now()))
    return refused('number_unavailable');
  const prefix = await phoneHash(env, prefixOf(e164));
  const counted = { account, number: inviteeKey, prefix, country: country ?? '', cents };
  const refusal = await reserveSms(env, counted);
  if (refusal) return refusal;
  const stored = await store(invitee, request, env).catch((error) => logFailure(request, error));
  if (stored?.kind === 'invited') return stored;
  await cancelSms(env, counted);
  if (stored) return stored;
  return refused(stored === null ? 'number_unavailable' : 'invitation_failed');
}

/** Returns the pending invitation between the same two, if any; the caller runs one call at a time for them. */
export async function sendInvitation(
  invitee: InviteeStorage,
  request: InvitationRequest,
  env: Env,
): Promise<Result> {
  const pending = invitee.pendingOf(request.account, Date.now());
  if (!pending) return create(invitee, request, env);
  return repeat(invitee, pending, request, env).catch((error) => {
    logFailure(request, error);
    return refused('invitation_failed');
  });
}
