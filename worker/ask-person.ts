import type { Env } from './env.ts';
import type { ErrorCode } from './errors.ts';
import type { Draft } from './funnel/invitation.ts';
import { prefixOf } from './funnel/text-limits.ts';
import { numberKey } from './number-key.ts';
import type { Contact, Person } from './person.ts';
import { hashOf, newCode } from './storage/codes.ts';
import { noteCode, noteInvitation } from './storage/invitations.ts';
import { limitsOf } from './text-limits.ts';
import { textVersion } from './text-words.ts';

/** What a requester asks for, and of whom. */
export interface Asking extends Omit<Draft, 'id' | 'numberEnd'>, Contact {
  /** Name of the person's object: the keyed hash of the number. */
  person: string;
  /** What the text costs, in cents. */
  cents: number;
}

type No = { refusal: ErrorCode };

/** Counts a new question; the refusal where there are enough. */
async function refusalOf(person: Person, asking: Asking, env: Env): Promise<ErrorCode | null> {
  const { account, e164, country, cents } = asking;
  if (person.isResting(account, Date.now())) return 'number_resting';
  const prefix = await numberKey(env, prefixOf(e164));
  const wanted = { account, number: asking.person, prefix };
  return limitsOf(env).take({ ...wanted, country: country ?? '', cents });
}

/**
 * Asks a person, or finds the question that is open between the two.
 *
 * @returns the invitation's id, and a code that opens it where one was made
 */
export async function askPerson(
  person: Person,
  asking: Asking,
  env: Env,
): Promise<{ id: string; code: string | null } | No> {
  const { account, person: name, via, duration, name: asker, cents: _, ...contact } = asking;
  const before = person.openOf(account, Date.now());
  if (before && via === 'text') return { id: before.id, code: null };
  const refusal = before ? null : await refusalOf(person, asking, env);
  if (refusal) return { refusal };
  const code = newCode();
  const hash = await hashOf(code);
  const id = before?.id ?? crypto.randomUUID();
  try {
    await noteCode(env.DB, { hash, person: name, account }, Date.now());
    if (!before) await noteInvitation(env.DB, { id, account, person: name }, Date.now());
  } catch {
    return { refusal: 'invitation_failed' };
  }
  // Meanwhile the person may have said no, or the other way of asking may have come first.
  const now = Date.now();
  const open = person.openOf(account, now);
  if (!open && person.isResting(account, now)) return { refusal: 'number_resting' };
  const handed = via === 'link' ? code : null;
  if (open) {
    if (handed) person.addCode(hash, open.id);
    return { id: open.id, code: handed };
  }
  const draft = { id, account, duration, via, name: asker, numberEnd: contact.e164.slice(-2) };
  person.ask(draft, { code, hash, version: textVersion }, contact, now);
  return { id, code: handed };
}
