import { hourMs } from '../../platform/durations.ts';
import type { ErrorCode } from '../../platform/errors.ts';
import type { AccountId, InvitationId } from '../../platform/types.ts';
import type { Invitation } from './invitation.ts';
import type { RequesterView } from './invitation-view.ts';

/** As long as the link in the receipt works. */
const keptMs = 72 * hourMs;

const firstCheckMs = 60_000;

/** An invitation sent before the requester's e-mail was confirmed. Times in ms since 1970. */
export interface KeptMessage<Request = unknown> {
  id: InvitationId;
  account: AccountId;
  request: Request;
  numberEnd: string;
  keptAt: number;
  checkAt: number;
  /** Whether the confirmed owner wants it to be sent, whoever wrote it. */
  isAgreed?: boolean;
  /** Why it was not sent after the confirmation; null while it is pending. */
  refusal: ErrorCode | null;
}

export const keptUntil = ({ keptAt }: Pick<KeptMessage, 'keptAt'>): number => keptAt + keptMs;

export const firstCheckAt = (keptAt: number): number => keptAt + firstCheckMs;

export const nextCheckAt = (now: number): number => now + hourMs;

/** Refusals that may no longer apply at a later check. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'daily_invitation_limit',
  'invitation_failed',
  'invitations_disabled',
  'unavailable',
]);

export const isFinalRefusal = (refusal: ErrorCode): boolean => !passing.has(refusal);

/** @param sendsAt when it would go out if it were confirmed now */
export const keptView = (
  kept: KeptMessage & { request: Pick<Invitation, 'duration' | 'name'> },
  sendsAt: number | null,
) =>
  ({
    id: kept.id,
    state: kept.refusal ? 'not_sent' : 'kept',
    requested_at: kept.keptAt,
    duration: kept.request.duration,
    name: kept.request.name,
    via: 'sms',
    number_end: kept.numberEnd,
    sends_at: sendsAt,
    delivery: null,
    answer_by: keptUntil(kept),
    ended_by: null,
    until: null,
    position: null,
    refusal: kept.refusal,
  }) satisfies RequesterView;
