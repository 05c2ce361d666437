import { type ErrorCode, type Refused, refused } from '../platform/errors.ts';
import type { AccountId, InvitationId } from '../platform/types.ts';
import type { InviteeStorage } from './invitee-storage.ts';
import { guaranteeAnswer } from './rules/hidden-refusal.ts';
import { type InvitationWords, wordsOf } from './rules/invitation.ts';
import type { InvitationOutcome } from './rules/invitation-outcome.ts';
import { type RequesterView, requesterView } from './rules/invitation-view.ts';

/** Showing an acceptance is recorded: its end is no longer hidden. @param refusal why a shared location is not shown */
export function requesterViewOf(
  invitee: InviteeStorage,
  id: InvitationId,
  refusal: ErrorCode | null = null,
): RequesterView | undefined {
  const now = Date.now();
  const found = invitee.invitation(id, now);
  if (!found) return undefined;
  if (found.state === 'accepted') invitee.markAcceptanceSeen(found, now);
  const position = refusal ? null : invitee.position(id, now);
  const view = requesterView(found, position, now, invitee.deliveries.ofInvitation(id));
  return { ...view, refusal: view.state === 'accepted' ? refusal : null };
}

export type InvitationResult =
  | {
      kind: 'invited';
      view: RequesterView;
      code: string | null;
      /** What the code's page says, so what its message must say. */
      words: InvitationWords;
    }
  | Refused;

export function invitationResult(
  invitee: InviteeStorage,
  { id, code }: { id: InvitationId; code: string | null },
  asked: InvitationWords,
): InvitationResult {
  const view = requesterViewOf(invitee, id);
  const invitation = invitee.invitation(id, Date.now());
  if (!view || !invitation) return refused('invitation_failed');
  return { kind: 'invited', view, code, words: wordsOf(invitation, asked) };
}

export function guaranteeAnswers(invitee: InviteeStorage, account: AccountId): InvitationOutcome[] {
  const now = Date.now();
  return invitee.invitationsOf(account, now).map((one) => ({
    requestedAt: one.requestedAt,
    answer: guaranteeAnswer(one, now),
  }));
}
