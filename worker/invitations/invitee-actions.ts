import type { ErrorCode } from '../errors.ts';
import type { InviteeStorage } from './invitee-storage.ts';
import { hidesRefusal } from './rules/hidden-refusal.ts';
import type { Act, Invitation } from './rules/invitation.ts';
import { type InviteeView, inviteeView } from './rules/invitation-view.ts';
import type { Position } from './rules/location-rounding.ts';

/** What the person's page is told. */
export type Answered = { view: InviteeView } | { refusal: ErrorCode };

const unknown = { refusal: 'invitation_unknown' } as const;

type Blocked = InviteeView['blocked'];

/** @param blocked only in answer to that press: whoever has the link later must not learn of it */
function answer(person: InviteeStorage, hash: string, blocked: Blocked = null): Answered {
  const now = Date.now();
  const found = person.byCode(hash, now);
  if (!found) return unknown;
  const position = person.position(found.id, now);
  return { view: inviteeView(found, position, { country: person.country, blocked }, now) };
}

/** Who has the code was reached, even where nobody told us that the text went out. */
function reach(person: InviteeStorage, { id, state }: Invitation, now: number): void {
  if (state === 'drafted') person.act(id, 'send', 'person', now);
  person.act(id, 'open', 'person', now);
}

/**
 * What a code's page shows. Asking for it is what counts as opened. A no shows in the answer to its
 * press and, until who asked may know, nowhere else: they may hold the link, or the phone.
 *
 * @param hash of the code
 */
export function open(person: InviteeStorage, hash: string): Answered {
  const now = Date.now();
  const found = person.byCode(hash, now);
  if (found) reach(person, found, now);
  if (!found || !hidesRefusal(found, now)) return answer(person, hash);
  const unsaid = { ...found, state: 'opened' } as const;
  const { country } = person;
  return { view: inviteeView(unsaid, null, { country, blocked: null }, now) };
}

/** Does a thing that leads to a state; doing it again changes nothing. */
function lead(
  person: InviteeStorage,
  hash: string,
  to: string,
  move: (id: string) => unknown,
): Answered {
  const found = person.byCode(hash, Date.now());
  if (!found) return unknown;
  if (found.state !== to && !move(found.id)) return { refusal: 'invitation_over' };
  return answer(person, hash);
}

const moved = (person: InviteeStorage, hash: string, to: string, what: Act) =>
  lead(person, hash, to, (id) => person.act(id, what, 'person', Date.now()));

/** The person says yes, and shows where they are. */
export const accept = (person: InviteeStorage, hash: string, position: Position): Answered =>
  lead(person, hash, 'accepted', (id) => person.accept(id, position, Date.now()));

/** The person says no; once more, where a page hides that they did. It tells nobody what was before. */
export function decline(person: InviteeStorage, hash: string): Answered {
  const now = Date.now();
  const found = person.byCode(hash, now);
  if (found && hidesRefusal(found, now)) return answer(person, hash);
  if (found) reach(person, found, now);
  return moved(person, hash, 'declined', 'decline');
}

/** The person shares no more; where that is hidden, a second press is answered as after any no. */
export function stop(person: InviteeStorage, hash: string): Answered {
  const now = Date.now();
  const found = person.byCode(hash, now);
  if (found && hidesRefusal(found, now)) return { refusal: 'invitation_over' };
  return moved(person, hash, 'stopped', 'stop');
}

/** The person wants nothing of who asks any more. @param report whether it was reported, too */
export function block(person: InviteeStorage, hash: string, report: boolean): Answered {
  const now = Date.now();
  const found = person.byCode(hash, now);
  if (!found) return unknown;
  person.block(found.account, report ? 'report' : 'person', now);
  return answer(person, hash, 'asker');
}

/** The person, who proved that the number is theirs, wants nobody to ask any more, as after STOP. */
export function stopEveryone(person: InviteeStorage, hash: string): Answered {
  const now = Date.now();
  const found = person.byCode(hash, now);
  if (!found) return unknown;
  person.block(found.account, 'person', now);
  person.stopAll(now);
  return answer(person, hash, 'everyone');
}
