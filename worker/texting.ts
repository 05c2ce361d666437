import type { Env } from './env.ts';
import type { Log } from './log.ts';
import type { Person } from './person.ts';
import { limitsOf } from './text-limits.ts';
import { ruleOf } from './text-rules.ts';
import { invitationText, reminderText } from './text-words.ts';
import type { TextDue } from './texts-due.ts';
import { type OutgoingText, TextNotTaken, TextUnclear, twilio } from './vendors/texts.ts';

/** After so long, in ms, a text whose fate is unknown is looked for; the vendor lists it by then. */
const settled = 10 * 60_000;

type End = 'sent' | 'refused' | 'stopped';

/** The text as it goes out; null when nothing stands behind it any more. */
function written(person: Person, text: TextDue, env: Env, log: Log): OutgoingText | null {
  const { contact } = person;
  const invitation = person.invitation(text.invitation, Date.now());
  const stage = text.kind === 'invitation' ? 'drafted' : 'accepted';
  if (!contact || invitation?.state !== stage) return null;
  const { e164: to, country, site } = contact;
  const from = ruleOf(env, country, log)?.from ?? env.TEXT_FROM;
  if (!from) throw new TextNotTaken('not_configured');
  const about = { name: invitation.name, country, site, code: text.code };
  const body =
    text.kind === 'invitation'
      ? invitationText(env, invitation.duration, about)
      : reminderText(env, about);
  return { to, from, body };
}

/** Notes what became of a text; by then the invitation may have moved on. */
function note(person: Person, text: TextDue, end: End): void {
  const now = Date.now();
  person.texts.drop(text.id);
  if (end === 'stopped') person.stopAll(now);
  if (text.kind !== 'invitation') return;
  if (end === 'sent') person.act(text.invitation, 'send', 'vendor', now);
  if (end === 'refused') person.end(text.invitation, 'vendor', now);
}

/** What a call that was begun earlier came to; null while that is not known, or nothing came of it. */
async function fateOf(text: TextDue, outgoing: OutgoingText, env: Env) {
  const taken = text.triedAt !== null && (await twilio(env).wasTaken(outgoing, text.triedAt));
  return taken ? 'sent' : null;
}

async function attempt(person: Person, text: TextDue, outgoing: OutgoingText, env: Env) {
  const stored = person.texts.find(text.id);
  // Somebody else may have called, or the person said no, while we asked others.
  if (stored?.state !== text.state || stored.triedAt !== text.triedAt) {
    throw new TextUnclear('under_way');
  }
  // Stored before the call: whoever comes now, or after a crash, does not call a second time.
  person.texts.keep({ ...text, state: 'trying', triedAt: Date.now() });
  try {
    return await twilio(env).send(outgoing);
  } catch (error) {
    if (error instanceof TextNotTaken)
      person.texts.keep({ ...text, state: 'queued', triedAt: null });
    throw error;
  }
}

async function bring(person: Person, text: TextDue, env: Env, log: Log): Promise<End | 'dropped'> {
  const begun = text.state === 'trying' && text.triedAt !== null;
  if (begun && Date.now() < (text.triedAt ?? 0) + settled) throw new TextUnclear('under_way');
  const invitation = person.invitation(text.invitation, Date.now());
  const held = invitation && (await limitsOf(env).isHeld(invitation.account));
  if (held && text.kind === 'invitation') person.end(text.invitation, 'hold', Date.now());
  const outgoing = written(person, text, env, log);
  if (!outgoing) return 'dropped';
  const fate = begun ? await fateOf(text, outgoing, env) : null;
  return fate ?? attempt(person, text, outgoing, env);
}

/**
 * Sends a text that is due: once, however often this is called for it.
 *
 * @returns false when it must be asked for again
 */
export async function sendText(person: Person, id: string, env: Env, log: Log): Promise<boolean> {
  const text = person.texts.find(id);
  if (!text) return true;
  try {
    const end = await bring(person, text, env, log);
    if (end === 'dropped') person.texts.drop(id);
    else note(person, text, end);
    log(end === 'sent' ? 'info' : 'warn', 'text', { key: text.kind, state: end });
    return true;
  } catch (error) {
    const known = error instanceof TextNotTaken || error instanceof TextUnclear;
    const reason = known ? error.message : error instanceof Error ? error.name : 'thrown';
    log('warn', 'text_failed', { key: text.kind, vendor: 'twilio', reason });
    return false;
  }
}
