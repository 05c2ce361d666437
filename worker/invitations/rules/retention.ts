import { dayMs } from '../../platform/durations.ts';
import { mayInviteAgainAt } from './hidden-refusal.ts';
import { answerDeadline, endsAt, type Invitation, isOver, pageEndsAt } from './invitation.ts';

const evidenceRetentionMs = 3 * 365 * dayMs;

/** Whether the requester's account was deleted. */
export const isForgotten = ({ numberEnd }: Invitation): boolean => numberEnd === '';

export const isExpired = ({ evidence }: Invitation, now: number): boolean =>
  (evidence.at(-1)?.at ?? 0) <= now - evidenceRetentionMs;

/** When something of an invitation ends, or is due, next. */
export function nextChangeAt(one: Invitation, now: number): number {
  if (!isOver(one)) return Math.min(endsAt(one), one.remindAt ?? Number.POSITIVE_INFINITY);
  if (one.name) return answerDeadline(one);
  const until = Math.max(mayInviteAgainAt(one), pageEndsAt(one));
  if (isForgotten(one) && now < until && Number.isFinite(until)) return until;
  return (one.evidence.at(-1)?.at ?? now) + evidenceRetentionMs;
}
