import { hidesRefusal, isPending } from './hidden-refusal.ts';
import { answerDeadline, endsAt, type Invitation, isOver } from './invitation.ts';
import type { Position } from './location-rounding.ts';
import { type Delivery, type DeliveryView, deliveryView } from './sms-delivery.ts';

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
  /** How its text fared, as far as that tells nothing of an answer; null while nobody knows. */
  delivery: DeliveryView | null;
  /** Until then only a yes shows. */
  answer_by: number;
  /** When sharing ends by itself; null while nothing is shared. */
  until: number | null;
  position: Position | null;
}

function stateFor(invitation: Invitation, waits: boolean, now: number): RequesterView['state'] {
  if (invitation.state === 'accepted') return 'accepted';
  if (!isPending(invitation, now)) return 'not_shared';
  const sending = waits || invitation.state === 'drafted';
  return sending ? 'sending' : 'sent';
}

/**
 * An invitation as its requester sees it. When it was opened, refused, stopped or ran out shows
 * neither in a state nor in a time: before `answer_by` what was refused looks as if it was not.
 *
 * @param invitation as it is now, see `at`
 * @param delivery of its text, whatever became of the question
 */
export function requesterView(
  invitation: Invitation,
  position: Position | null,
  now: number,
  delivery?: Delivery,
): RequesterView {
  const { id, askedAt, sendsAt, duration, via, numberEnd } = invitation;
  const waits = sendsAt !== null && now < sendsAt;
  const state = stateFor(invitation, waits, now);
  const shared = state === 'accepted';
  return {
    id,
    state,
    asked_at: askedAt,
    duration,
    via,
    number_end: numberEnd,
    sends_at: state === 'sending' && waits ? sendsAt : null,
    delivery: state === 'sent' ? deliveryView(delivery, sendsAt, now) : null,
    answer_by: answerDeadline(invitation),
    until: shared ? endsAt(invitation) : null,
    position: shared ? position : null,
  };
}

/** What the located person sees. Times in ms since 1970. */
export interface InviteeView {
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
  /** Whom the person blocks, by this very call. */
  blocked: 'asker' | 'everyone' | null;
  /** Whether the link goes on showing the question to whoever opens it later, maybe who asked. */
  hidden: boolean;
}

/** An invitation as the located person sees it. @param invitation as it is now, see `at` */
export function inviteeView(
  invitation: Invitation,
  position: Position | null,
  { country, blocked }: Pick<InviteeView, 'country' | 'blocked'>,
  now: number,
): InviteeView {
  const { state, name, duration, askedAt } = invitation;
  const shared = state === 'accepted';
  const over = isOver(invitation);
  return {
    state: shared ? 'shared' : over ? 'over' : 'asked',
    name: over ? '' : name,
    duration,
    asked_at: askedAt,
    answer_by: answerDeadline(invitation),
    until: shared ? endsAt(invitation) : null,
    shared: shared ? position : null,
    country,
    blocked,
    hidden: hidesRefusal(invitation, now),
  };
}
