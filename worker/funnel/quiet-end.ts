import type { Standing } from './guarantee.ts';
import { answerBy, type Invitation, isOver, noted } from './invitation.ts';

/** After a yes that was stopped, the same account asks again so much later, in ms. */
const rest = 7 * 24 * 60 * 60_000;

const endOf = ({ evidence }: Invitation) => evidence.at(-1);
const takenBack = (invitation: Invitation) => endOf(invitation)?.by === 'requester';
const ranOut = (invitation: Invitation) =>
  invitation.acceptedAt !== null && endOf(invitation)?.by === 'clock';

/**
 * Whether an end must not show to who asked. A no would tell by its moment whose it was: so until one
 * time, fixed by the asking, every end looks like no answer, but those that who asked brought about
 * or saw coming.
 */
export function hidesEnd(invitation: Invitation, now: number): boolean {
  const known = invitation.seen || takenBack(invitation) || ranOut(invitation);
  return isOver(invitation) && !known && now < answerBy(invitation);
}

/** Whether who asked may still hope, as far as they know: such a question stands between the two. */
export const isPending = (invitation: Invitation, now: number): boolean =>
  !isOver(invitation) || hidesEnd(invitation, now);

/**
 * Until when the same account does not ask the same person again, ms since 1970. After every question
 * without a yes it is for good: one that ended otherwise for a no than for a silence would tell.
 */
export function restsUntil(invitation: Invitation): number {
  const { seen, evidence } = invitation;
  const unsent = takenBack(invitation) && evidence.every(({ state }) => state !== 'sent');
  if (ranOut(invitation) || unsent) return 0;
  return seen ? (endOf(invitation)?.at ?? 0) + rest : Number.POSITIVE_INFINITY;
}

/** How a question stands for the guarantee: a yes was shown, it is known to have ended, or neither. */
export function standing(invitation: Invitation, now: number): Standing['answer'] {
  if (invitation.seen) return 'agreed';
  return isPending(invitation, now) || takenBack(invitation) ? 'open' : 'refused';
}

/** Notes that who asked takes back a question whose end they do not know. */
export const takeBackQuietly = (invitation: Invitation, now: number): Invitation => ({
  ...noted(invitation, invitation.state, 'requester', now),
  name: '',
});
