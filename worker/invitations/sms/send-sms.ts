import type { SmsText } from '../../content/translations.ts';
import { type CountryRule, countryRule } from '../../phone-lookup/sms-reach.ts';
import { minuteMs } from '../../platform/durations.ts';
import type { Env } from '../../platform/env.ts';
import type { Log } from '../../platform/log.ts';
import type { InviteeStorage } from '../invitee-storage.ts';
import { requesterRight } from '../requester-right.ts';
import type { Invitation } from '../rules/invitation.ts';
import { optedOutError, type StatusReport } from '../rules/sms-delivery.ts';
import {
  endedSms,
  invitationSms,
  reminderSms,
  smsTextsFor,
  statusCallbackUrl,
} from './sms-copy.ts';
import { senderFor } from './sms-countries.ts';
import type { DueSms } from './sms-outbox.ts';
import {
  type OutgoingSms,
  SmsAmbiguousError,
  SmsRefusedError,
  smsFailureReason,
  twilio,
} from './twilio.ts';

/** After this time the vendor lists every SMS that it accepted, so an ambiguous one can be looked up. */
const searchDelayMs = 10 * minuteMs;

type Outcome = 'sent' | 'refused' | 'opted_out';

function isWanted(invitee: InviteeStorage, { kind }: DueSms, { state, account }: Invitation) {
  if (kind === 'ended') return !invitee.blocks.holdFor(account);
  return state === (kind === 'invitation' ? 'drafted' : 'accepted');
}

function compose(
  invitee: InviteeStorage,
  sms: DueSms,
  env: Env,
  { texts, rule }: { texts: SmsText; rule: CountryRule | undefined },
): OutgoingSms | null {
  const contact = sms.to ?? invitee.outbox.contact;
  const invitation = invitee.invitation(sms.invitation, Date.now());
  if (!contact || !invitation || !isWanted(invitee, sms, invitation)) return null;
  const { e164, site } = contact;
  const from = senderFor(env, rule);
  if (!from) throw new SmsRefusedError('not_configured');
  const values = { name: sms.to?.name ?? invitation.name, site, code: sms.code };
  const bodies = {
    invitation: () => invitationSms(env, texts, invitation.duration, values),
    reminder: () => reminderSms(env, texts, values),
    ended: () => endedSms(env, texts, values),
  };
  return { to: e164, from, body: bodies[sms.kind](), statusCallback: statusCallbackUrl(site, sms) };
}

/** The invitation may have changed meanwhile: then the transition has no effect. */
function recordOutcome(invitee: InviteeStorage, sms: DueSms, outcome: Outcome): void {
  const now = Date.now();
  invitee.outbox.delete(sms.id);
  if (outcome === 'opted_out') invitee.optOut(now);
  if (sms.kind !== 'invitation') return;
  if (outcome === 'sent') invitee.apply(sms.invitation, 'send', 'vendor', now);
}

const recordSid = (invitee: InviteeStorage, { id }: DueSms, sid: string | null) =>
  invitee.deliveries.record(id, { sid, status: 'queued', code: null });

/** An opt-out at the vendor counts as one here. A report proves that an ambiguous SMS was accepted. */
export function recordSmsStatus(
  invitee: InviteeStorage,
  { kind: type, id }: { kind: string; id: string },
  report: StatusReport,
  log: Log,
): void {
  const due = invitee.outbox.find(id);
  const hasOptedOut = report.code === optedOutError;
  if (due?.state === 'trying') recordOutcome(invitee, due, hasOptedOut ? 'opted_out' : 'sent');
  else if (hasOptedOut) invitee.optOut(Date.now());
  invitee.deliveries.record(id, report);
  const { status: state, code } = report;
  const ok = state !== 'failed' && state !== 'undelivered' && state !== 'canceled';
  const fields = { type, state, code: code === null ? undefined : String(code) };
  log(ok ? 'info' : 'warn', 'sms_status_received', fields);
}

async function submit(
  invitee: InviteeStorage,
  sms: DueSms,
  outgoing: OutgoingSms,
  env: Env,
): Promise<Outcome> {
  // Stored before the call: a concurrent call, or one after a crash, does not submit a second time.
  invitee.outbox.save({ ...sms, state: 'trying', triedAt: Date.now() });
  const { deliveries } = invitee;
  deliveries.add(sms, Date.now());
  try {
    const result = await twilio(env).send(outgoing);
    if (result.kind === 'sent') recordSid(invitee, sms, result.sid);
    if (result.kind === 'refused') {
      deliveries.record(sms.id, { sid: null, status: 'failed', code: result.code });
    }
    return result.kind;
  } catch (error) {
    if (error instanceof SmsRefusedError)
      invitee.outbox.save({ ...sms, state: 'queued', triedAt: null });
    throw error;
  }
}

/** Whether no concurrent call or answer changed it while this call waited. */
function isUnchanged(invitee: InviteeStorage, { id, state, triedAt }: DueSms): boolean {
  const stored = invitee.outbox.find(id);
  return stored?.state === state && stored.triedAt === triedAt;
}

/** @returns whether the requester may neither invite nor see a location now */
async function endIfForbidden(
  invitee: InviteeStorage,
  { kind, invitation: id }: DueSms,
  env: Env,
  rule: CountryRule | undefined,
): Promise<boolean> {
  const invitation = invitee.invitation(id, Date.now());
  if (!invitation || kind === 'ended') return false;
  const { account } = invitation;
  const { refusal, endedUntil } = await requesterRight(
    env,
    account,
    invitee.identities.of(account),
  );
  invitee.endWithPlan(account, endedUntil, Date.now());
  if (kind === 'invitation' && refusal) invitee.end(id, 'suspension', Date.now());
  else if (kind === 'invitation' && !rule) invitee.end(id, 'country', Date.now());
  return refusal !== null;
}

async function sendOnce(
  invitee: InviteeStorage,
  sms: DueSms,
  env: Env,
  log: Log,
): Promise<Outcome | 'dropped' | 'postponed'> {
  const country = (sms.to ?? invitee.outbox.contact)?.country ?? null;
  const rule = countryRule(env, country, log);
  const copy = { texts: await smsTextsFor(country, env, log), rule };
  if (sms.state === 'trying' && sms.triedAt !== null) {
    if (Date.now() < sms.triedAt + searchDelayMs) throw new SmsAmbiguousError('under_way');
    const submitted = compose(invitee, sms, env, copy);
    const found = submitted && (await twilio(env).find(submitted, sms.triedAt));
    if (found) {
      recordSid(invitee, sms, found.sid);
      return 'sent';
    }
  }
  const isForbidden = await endIfForbidden(invitee, sms, env, rule);
  const outgoing = isForbidden ? null : compose(invitee, sms, env, copy);
  if (!outgoing) return 'dropped';
  if (!isUnchanged(invitee, sms)) throw new SmsAmbiguousError('under_way');
  if (invitee.postponeToDaytime(sms, Date.now())) return 'postponed';
  return submit(invitee, sms, outgoing, env);
}

/** Sends once, however often it is called. @returns false when the queue must retry */
export async function sendSms(
  invitee: InviteeStorage,
  id: string,
  env: Env,
  log: Log,
): Promise<boolean> {
  const sms = invitee.outbox.find(id);
  if (!sms) return true;
  try {
    const state = await sendOnce(invitee, sms, env, log);
    if (state === 'dropped') invitee.outbox.delete(id);
    else if (state !== 'postponed') recordOutcome(invitee, sms, state);
    const ok = state === 'sent' || state === 'postponed';
    log(ok ? 'info' : 'warn', 'sms_processed', { type: sms.kind, state });
    return true;
  } catch (error) {
    log('warn', 'sms_failed', {
      type: sms.kind,
      vendor: 'twilio',
      reason: smsFailureReason(error),
    });
    return false;
  }
}
