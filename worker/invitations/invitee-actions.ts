import { type Refused, refused } from '../platform/errors.ts';
import type { InviteeStorage } from './invitee-storage.ts';
import { hidesRefusal } from './rules/hidden-refusal.ts';
import type { Invitation, InvitationAction, InvitationState } from './rules/invitation.ts';
import { type InviteeView, inviteeView } from './rules/invitation-view.ts';
import type { Position } from './rules/shared-location.ts';

export type InviteeResult = { kind: 'view'; view: InviteeView } | Refused;

const unknownCode = refused('invitation_unknown');
const invitationEnded = refused('invitation_ended');

type Blocked = InviteeView['blocked'];

/**
 * Others have a link that was not texted too, the requester among them: it shows the location only to who accepts.
 * @param blocked shown only in the browser that blocked, because the requester may open the link later
 */
function currentView(
  invitee: InviteeStorage,
  hash: string,
  blocked: Blocked = null,
  hasAccepted = false,
): InviteeResult {
  const now = Date.now();
  const found = invitee.byCode(hash, now);
  if (!found) return unknownCode;
  const isShown = hasAccepted || found.via === 'sms';
  const position = isShown ? invitee.position(found.id, now) : null;
  const view = inviteeView(found, position, { country: invitee.outbox.country, blocked }, now);
  return { kind: 'view', view };
}

function markOpened(invitee: InviteeStorage, { id, state }: Invitation, now: number): void {
  if (state === 'drafted') invitee.apply(id, 'send', 'invitee', now);
  invitee.apply(id, 'open', 'invitee', now);
}

/** After a hidden refusal the question is still shown, because the requester may have the link or the phone. */
export function open(invitee: InviteeStorage, hash: string): InviteeResult {
  const now = Date.now();
  const found = invitee.byCode(hash, now);
  if (found) markOpened(invitee, found, now);
  if (!found || !hidesRefusal(found, now)) return currentView(invitee, hash);
  const asOpened = { ...found, state: 'opened' } as const;
  const { country } = invitee.outbox;
  const view = inviteeView(asOpened, null, { country, blocked: null }, now);
  return { kind: 'view', view };
}

function applyAction(
  invitee: InviteeStorage,
  hash: string,
  to: InvitationState,
  action: InvitationAction,
): InviteeResult {
  const now = Date.now();
  const found = invitee.byCode(hash, now);
  if (!found) return unknownCode;
  if (found.state !== to && !invitee.apply(found.id, action, 'invitee', now)) {
    return invitationEnded;
  }
  return currentView(invitee, hash);
}

export function accept(invitee: InviteeStorage, hash: string, position: Position): InviteeResult {
  const now = Date.now();
  const found = invitee.byCode(hash, now);
  if (!found) return unknownCode;
  const { id, name, duration } = found;
  const hasAccepted = invitee.accept(id, position, now, { name, duration }) !== null;
  if (!hasAccepted && found.state !== 'accepted') return invitationEnded;
  return currentView(invitee, hash, null, hasAccepted);
}

/** Answers the same after every hidden refusal, so the answer does not reveal an earlier one. */
export function decline(invitee: InviteeStorage, hash: string): InviteeResult {
  const now = Date.now();
  const found = invitee.byCode(hash, now);
  if (found && hidesRefusal(found, now)) return currentView(invitee, hash);
  // Accepted in another tab: the later answer counts.
  if (found?.state === 'accepted') return stopSharing(invitee, hash);
  if (found) markOpened(invitee, found, now);
  return applyAction(invitee, hash, 'declined', 'decline');
}

export function stopSharing(invitee: InviteeStorage, hash: string): InviteeResult {
  const now = Date.now();
  const found = invitee.byCode(hash, now);
  if (found && hidesRefusal(found, now)) return invitationEnded;
  return applyAction(invitee, hash, 'stopped', 'stop');
}

export function block(invitee: InviteeStorage, hash: string, report: boolean): InviteeResult {
  const now = Date.now();
  const found = invitee.byCode(hash, now);
  if (!found) return unknownCode;
  if (report) invitee.report(found, now);
  else invitee.block(found.account, 'invitee', now);
  return currentView(invitee, hash, 'requester');
}

export function optOut(invitee: InviteeStorage, hash: string): InviteeResult {
  const now = Date.now();
  const found = invitee.byCode(hash, now);
  if (!found) return unknownCode;
  invitee.block(found.account, 'invitee', now);
  invitee.optOut(now);
  return currentView(invitee, hash, 'everyone');
}
