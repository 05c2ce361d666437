import type { ErrorCode } from '../../platform/errors.ts';
import type { InvitationId } from '../../platform/types.ts';
import { endedFor, hidesRefusal, looksPending } from './hidden-refusal.ts';
import { answerDeadline, endsAt, type Invitation, isOver } from './invitation.ts';
import { type Position, sharedLocation } from './shared-location.ts';
import { type DeliveryView, deliveryView, type SmsDelivery } from './sms-delivery.ts';

/** For the requester: all unsuccessful ends look the same. Times in ms since 1970. */
export interface RequesterView {
  id: InvitationId;
  /** `kept`: waits until the requester's e-mail is confirmed. `not_sent`: refused after that. */
  state: 'kept' | 'not_sent' | 'sending' | 'sent' | 'accepted' | 'not_shared';
  requested_at: number;
  duration: Invitation['duration'];
  /** The requester's name in a kept message. */
  name?: string;
  via: Invitation['via'];
  number_end: string;
  sends_at: number | null;
  delivery: DeliveryView | null;
  answer_by: number;
  /** Who ended what is not shared, as far as the requester knows. */
  ended_by: ReturnType<typeof endedFor>;
  until: number | null;
  position: Position | null;
  /** Why a kept message was not sent, or a shared location is not shown. */
  refusal: ErrorCode | null;
}

function stateFor(invitation: Invitation, waits: boolean, now: number): RequesterView['state'] {
  if (invitation.state === 'accepted') return 'accepted';
  if (!looksPending(invitation, now)) return 'not_shared';
  const sending = waits || (invitation.state === 'drafted' && !invitation.undeliverable);
  return sending ? 'sending' : 'sent';
}

/** Neither a state nor a time reveals when the invitation was opened, refused or stopped. */
export function requesterView(
  invitation: Invitation,
  position: Position | null,
  now: number,
  delivery?: SmsDelivery,
): RequesterView {
  const { id, requestedAt, sendsAt, duration, via, numberEnd } = invitation;
  const waits = sendsAt !== null && now < sendsAt;
  const state = stateFor(invitation, waits, now);
  const shared = state === 'accepted';
  return {
    id,
    state,
    requested_at: requestedAt,
    duration,
    via,
    number_end: numberEnd,
    sends_at: state === 'sending' && waits ? sendsAt : null,
    delivery: state === 'sent' ? deliveryView(delivery, sendsAt, now) : null,
    answer_by: answerDeadline(invitation),
    ended_by: state === 'not_shared' ? endedFor(invitation) : null,
    until: shared ? endsAt(invitation) : null,
    position: sharedLocation(invitation, position),
    refusal: null,
  };
}

export interface InviteeView {
  state: 'pending' | 'shared' | 'over';
  /** The requester's name; empty when it is over. */
  name: string;
  duration: Invitation['duration'];
  requested_at: number;
  answer_by: number;
  until: number | null;
  /** Whether the requester can see the location. */
  visible: boolean;
  /** The location, for the invitee. */
  shared: Position | null;
  country: string | null;
  blocked: 'requester' | 'everyone' | null;
  hidden: boolean;
}

export function inviteeView(
  invitation: Invitation,
  position: Position | null,
  { country, blocked }: Pick<InviteeView, 'country' | 'blocked'>,
  now: number,
): InviteeView {
  const { state, name, duration, requestedAt } = invitation;
  const shared = state === 'accepted';
  const over = isOver(invitation);
  return {
    state: shared ? 'shared' : over ? 'over' : 'pending',
    name: over ? '' : name,
    duration,
    requested_at: requestedAt,
    answer_by: answerDeadline(invitation),
    until: shared ? endsAt(invitation) : null,
    visible: shared,
    shared: sharedLocation(invitation, position),
    country,
    blocked,
    hidden: hidesRefusal(invitation, now),
  };
}
