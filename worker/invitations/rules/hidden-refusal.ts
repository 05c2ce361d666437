import { dayMs } from '../../platform/durations.ts';
import {
  type Actor,
  answerDeadline,
  type Invitation,
  isOver,
  knowsAcceptance,
  withEvidence,
} from './invitation.ts';
import type { InvitationOutcome } from './invitation-outcome.ts';

/** After the invitee stopped an acceptance that was seen, the account must wait this long to invite again. */
const inviteAgainMs = 7 * dayMs;

const lastEvidence = ({ evidence }: Invitation) => evidence.at(-1) ?? evidence[0];
const endedBy = (invitation: Invitation, ...actors: Actor[]) =>
  actors.includes(lastEvidence(invitation).by);
export const isCancelled = (invitation: Invitation) => endedBy(invitation, 'requester', 'plan');
/** Whether it was shared until its time, or the plan, was over. */
export const ranOut = (invitation: Invitation) =>
  invitation.evidence.at(-2)?.state === 'accepted' && endedBy(invitation, 'clock', 'plan');

/** Hidden until the deadline, so that no timing reveals it, except ends that the requester caused or saw. */
export function hidesRefusal(invitation: Invitation, now: number): boolean {
  const isKnown = knowsAcceptance(invitation) || isCancelled(invitation) || ranOut(invitation);
  return isOver(invitation) && !isKnown && now < answerDeadline(invitation);
}

export const looksPending = (invitation: Invitation, now: number): boolean =>
  !isOver(invitation) || hidesRefusal(invitation, now);

/** Ms since 1970. If it differed between refusals it would reveal which one it was. */
export function mayInviteAgainAt(invitation: Invitation): number {
  const { evidence, undeliverable } = invitation;
  const isUnsent = isCancelled(invitation) && evidence.every(({ state }) => state !== 'sent');
  if (ranOut(invitation) || isUnsent || undeliverable) return 0;
  if (!knowsAcceptance(invitation)) return Number.POSITIVE_INFINITY;
  return lastEvidence(invitation).at + inviteAgainMs;
}

export const isRefusal = (invitation: Invitation, now: number): boolean =>
  isOver(invitation) && now < mayInviteAgainAt(invitation);

export function guaranteeAnswer(invitation: Invitation, now: number): InvitationOutcome['answer'] {
  if (invitation.acceptanceSeen) return 'agreed';
  if (looksPending(invitation, now) || endedBy(invitation, 'requester')) return 'open';
  // What ends before the deadline waits for it, except a time of sharing that is over.
  const isOut = ranOut(invitation) && endedBy(invitation, 'clock');
  return !isOut && now < answerDeadline(invitation) ? 'open' : 'refused';
}

/** Who ended it, as far as the requester knows; null for an answer that never came or was a refusal. */
export function endedFor(invitation: Invitation): 'time' | 'invitee' | 'requester' | null {
  if (!isOver(invitation)) return null;
  if (endedBy(invitation, 'requester')) return 'requester';
  if (!knowsAcceptance(invitation)) return null;
  if (endedBy(invitation, 'clock')) return 'time';
  return endedBy(invitation, 'invitee', 'report') ? 'invitee' : null;
}

export const cancelUnseen = (
  invitation: Invitation,
  by: 'requester' | 'plan',
  now: number,
): Invitation => ({ ...withEvidence(invitation, invitation.state, by, now), name: '' });
