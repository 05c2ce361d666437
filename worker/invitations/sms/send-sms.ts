import type { Env } from '../../env.ts';
import type { Log } from '../../log.ts';
import type { InviteeStorage } from '../invitee-storage.ts';
import type { StatusReport } from '../rules/sms-delivery.ts';
import { optedOut } from '../rules/twilio-errors.ts';
import { invitationSms, reminderSms, statusCallbackOf } from './sms-copy.ts';
import { type CountryRule, ruleOf, senderOf } from './sms-countries.ts';
import { smsLimiterOf } from './sms-limiter-object.ts';
import type { DueSms } from './sms-outbox.ts';
import { type OutgoingSms, SmsAmbiguousError, SmsRefusedError, twilio } from './twilio.ts';

/** After so long, in ms, a text whose fate is unknown is looked for; the vendor lists it by then. */
const settled = 10 * 60_000;

type End = 'sent' | 'refused' | 'stopped';

/** The text as it goes out; null when nothing stands behind it any more. */
function written(
  person: InviteeStorage,
  text: DueSms,
  env: Env,
  rule: CountryRule | undefined,
): OutgoingSms | null {
  const { contact } = person;
  const invitation = person.invitation(text.invitation, Date.now());
  const stage = text.kind === 'invitation' ? 'drafted' : 'accepted';
  if (!contact || invitation?.state !== stage) return null;
  const { e164: to, country, site } = contact;
  const from = senderOf(env, rule);
  if (!from) throw new SmsRefusedError('not_configured');
  const about = { name: invitation.name, country, site, code: text.code };
  const body =
    text.kind === 'invitation'
      ? invitationSms(env, invitation.duration, about)
      : reminderSms(env, about);
  return { to, from, body, statusCallback: statusCallbackOf(site, text) };
}

/** Notes what became of a text; by then the invitation may have moved on. */
function note(person: InviteeStorage, text: DueSms, end: End): void {
  const now = Date.now();
  person.texts.drop(text.id);
  if (end === 'stopped') person.stopAll(now);
  if (text.kind !== 'invitation') return;
  if (end === 'sent') person.act(text.invitation, 'send', 'vendor', now);
  if (end === 'refused') person.end(text.invitation, 'vendor', now);
}

const tellSid = (person: InviteeStorage, { id }: DueSms, sid: string | null) =>
  person.texts.deliveries.tell(id, { sid, status: 'queued', code: null });

/**
 * Notes what the vendor tells of a text. Who told the vendor STOP says it to us, too; and a text whose
 * answer was lost was taken after all.
 */
export function recordStatus(person: InviteeStorage, id: string, told: StatusReport): void {
  const due = person.texts.find(id);
  const stopped = told.code === optedOut;
  if (due?.state === 'trying') note(person, due, stopped ? 'stopped' : 'sent');
  else if (stopped) person.stopAll(Date.now());
  person.texts.deliveries.tell(id, told);
}

async function attempt(person: InviteeStorage, text: DueSms, outgoing: OutgoingSms, env: Env) {
  // Stored before the call: whoever comes now, or after a crash, does not call a second time.
  person.texts.keep({ ...text, state: 'trying', triedAt: Date.now() });
  const { deliveries } = person.texts;
  deliveries.begin(text, Date.now());
  try {
    const handed = await twilio(env).send(outgoing);
    if (handed.end === 'sent') tellSid(person, text, handed.sid);
    if (handed.end === 'refused') {
      deliveries.tell(text.id, { sid: null, status: 'failed', code: handed.code });
    }
    return handed.end;
  } catch (error) {
    if (error instanceof SmsRefusedError)
      person.texts.keep({ ...text, state: 'queued', triedAt: null });
    throw error;
  }
}

/** Whether nobody else has called, and the person has not said no, while we asked others. */
function isAsItWas(person: InviteeStorage, { id, state, triedAt }: DueSms): boolean {
  const stored = person.texts.find(id);
  return stored?.state === state && stored.triedAt === triedAt;
}

/** Ends an invitation that must not go out any more, whatever held when it was asked. */
async function forbid(
  person: InviteeStorage,
  text: DueSms,
  env: Env,
  rule: CountryRule | undefined,
) {
  const invitation = person.invitation(text.invitation, Date.now());
  if (!invitation || text.kind === 'reminder') return;
  const held = await smsLimiterOf(env).isHeld(invitation.account);
  if (held || !rule) person.end(invitation.id, held ? 'hold' : 'country', Date.now());
}

type Brought = End | 'dropped' | 'postponed';

async function bring(person: InviteeStorage, text: DueSms, env: Env, log: Log): Promise<Brought> {
  const rule = ruleOf(env, person.contact?.country ?? null, log);
  if (text.state === 'trying' && text.triedAt !== null) {
    if (Date.now() < text.triedAt + settled) throw new SmsAmbiguousError('under_way');
    const before = written(person, text, env, rule);
    const found = before && (await twilio(env).find(before, text.triedAt));
    if (found) {
      tellSid(person, text, found.sid);
      return 'sent';
    }
  }
  await forbid(person, text, env, rule);
  const outgoing = written(person, text, env, rule);
  if (!outgoing) return 'dropped';
  if (!isAsItWas(person, text)) throw new SmsAmbiguousError('under_way');
  return person.waitsForDay(text, Date.now()) ? 'postponed' : attempt(person, text, outgoing, env);
}

/**
 * Sends a text that is due: once, however often this is called for it.
 *
 * @returns false when it must be asked for again
 */
export async function sendSms(
  person: InviteeStorage,
  id: string,
  env: Env,
  log: Log,
): Promise<boolean> {
  const text = person.texts.find(id);
  if (!text) return true;
  try {
    const end = await bring(person, text, env, log);
    if (end === 'dropped') person.texts.drop(id);
    else if (end !== 'postponed') note(person, text, end);
    const well = end === 'sent' || end === 'postponed';
    log(well ? 'info' : 'warn', 'text', { key: text.kind, state: end });
    return true;
  } catch (error) {
    const known = error instanceof SmsRefusedError || error instanceof SmsAmbiguousError;
    const reason = known ? error.message : error instanceof Error ? error.name : 'thrown';
    log('warn', 'sms_failed', { key: text.kind, vendor: 'twilio', reason });
    return false;
  }
}
