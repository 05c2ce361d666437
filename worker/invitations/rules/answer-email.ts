import { dayMs } from '../../platform/durations.ts';
import { isCancelled, ranOut } from './hidden-refusal.ts';
import { answerDeadline, type Invitation, knowsAcceptance } from './invitation.ts';

export type Answer = 'yes' | 'no';

/** Nothing is told of an answer that is older, as of those before this e-mail existed. */
const tellMs = dayMs;

/**
 * The answer that the requester is e-mailed, and from when, ms since 1970; null for none. Every end without a yes is told
 * at the deadline, in the same words, so that neither says which one it was. Without a proven mailbox nothing is told.
 */
export function answerEmail(one: Invitation): { answer: Answer; dueAt: number } | null {
  const { state, acceptanceSeen, acceptedAt, told, unconfirmedBrowser, numberEnd } = one;
  if (told || unconfirmedBrowser !== undefined || !numberEnd) return null;
  if (state === 'accepted')
    return acceptanceSeen ? null : { answer: 'yes', dueAt: acceptedAt ?? 0 };
  if (knowsAcceptance(one) || isCancelled(one) || ranOut(one)) return null;
  return { answer: 'no', dueAt: answerDeadline(one) };
}

/** When it is due, or due again after a failure; null once it is too late. */
export function answerEmailAt(one: Invitation, now: number): number | null {
  const email = answerEmail(one);
  return email && (email.answer === 'yes' || now < email.dueAt + tellMs) ? email.dueAt : null;
}
