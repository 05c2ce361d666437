import { endsAt, type Invitation, isOver } from './invitation.ts';
import type { Position } from './position.ts';

/** What a requester sees. Every no, and every end, is one and the same. Times in ms since 1970. */
export interface RequesterView {
  id: string;
  state: 'sending' | 'sent' | 'accepted' | 'not_shared';
  asked_at: number;
  duration: Invitation['duration'];
  via: Invitation['via'];
  /** The number's last two digits. */
  number_end: string;
  /** When a text goes out that waits for the morning; null when none waits. */
  sends_at: number | null;
  /** When sharing ends by itself; null while nothing is shared. */
  until: number | null;
  position: Position | null;
}

/**
 * An invitation as its requester sees it. When it was opened, refused, stopped or ran out shows
 * neither in a state nor in a time.
 *
 * @param invitation as it is now, see `at`
 * @param sendsAt when its text goes out, if that still waits
 */
export function forRequester(
  invitation: Invitation,
  position: Position | null,
  sendsAt: number | null,
): RequesterView {
  const { id, state, askedAt, duration, via, numberEnd } = invitation;
  const shared = state === 'accepted';
  const waits = state === 'drafted';
  return {
    id,
    state: shared ? 'accepted' : waits ? 'sending' : isOver(invitation) ? 'not_shared' : 'sent',
    asked_at: askedAt,
    duration,
    via,
    number_end: numberEnd,
    sends_at: waits && sendsAt !== null && sendsAt > askedAt ? sendsAt : null,
    until: shared ? endsAt(invitation) : null,
    position: shared ? position : null,
  };
}

/** What the located person sees. Times in ms since 1970. */
export interface PersonView {
  state: 'asked' | 'shared' | 'over';
  /** Who asks; empty when it is over. */
  name: string;
  duration: Invitation['duration'];
  asked_at: number;
  /** Unanswered, it ends then. */
  answer_by: number;
  /** When sharing ends by itself; null while nothing is shared. */
  until: number | null;
  /** Exactly what the requester sees. */
  shared: Position | null;
  /** Country of the number, ISO 3166 alpha-2. */
  country: string | null;
  /** Whether the person blocks who asks, by this very call. */
  blocked: boolean;
}

/** An invitation as the located person sees it. @param invitation as it is now, see `at` */
export function forPerson(
  invitation: Invitation,
  position: Position | null,
  { country, blocked }: Pick<PersonView, 'country' | 'blocked'>,
): PersonView {
  const { state, name, duration, askedAt } = invitation;
  const shared = state === 'accepted';
  return {
    state: shared ? 'shared' : isOver(invitation) ? 'over' : 'asked',
    name,
    duration,
    asked_at: askedAt,
    answer_by: endsAt({ ...invitation, acceptedAt: null }),
    until: shared ? endsAt(invitation) : null,
    shared: shared ? position : null,
    country,
    blocked,
  };
}
