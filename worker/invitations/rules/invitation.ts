import { dayMs, hourMs } from '../../platform/durations.ts';
import { typedKeys } from '../../platform/keys.ts';
import type { AccountId, InvitationId } from '../../platform/types.ts';

const sharingMs = { hour: hourMs, day: dayMs, until_stopped: 30 * dayMs } as const;

const answerPeriodMs = 7 * dayMs;

const firstReminderMs = dayMs;

const reminderIntervalMs = 7 * dayMs;

export type Duration = keyof typeof sharingMs;

export const durations: readonly Duration[] = typedKeys(sharingMs);

/** Whoever accepted by a link for a short time never agreed to any SMS. */
export const getsSms = ({ via, duration }: Pick<Invitation, 'via' | 'duration'>): boolean =>
  via === 'sms' || duration === 'until_stopped';

export type InvitationState =
  | 'drafted'
  | 'sent'
  | 'opened'
  | 'accepted'
  | 'declined'
  | 'blocked'
  | 'expired'
  | 'stopped';

export type InvitationAction = 'send' | 'open' | 'accept' | 'decline' | 'block' | 'expire' | 'stop';

const transitions: Record<InvitationState, Partial<Record<InvitationAction, InvitationState>>> = {
  drafted: { send: 'sent', block: 'blocked', expire: 'expired' },
  sent: { open: 'opened', block: 'blocked', expire: 'expired' },
  opened: { accept: 'accepted', decline: 'declined', block: 'blocked', expire: 'expired' },
  accepted: { stop: 'stopped' },
  declined: {},
  blocked: {},
  expired: {},
  stopped: {},
};

export type Actor =
  | 'requester'
  /** The requester's plan ended, or their account. */
  | 'plan'
  | 'invitee'
  | 'clock'
  | 'vendor'
  | 'report'
  | 'suspension'
  | 'country';

interface Evidence {
  at: number;
  state: InvitationState;
  by: Actor;
  copyVersion: number;
}

/** Times in ms since 1970. */
export interface Invitation {
  id: InvitationId;
  account: AccountId;
  duration: Duration;
  via: 'sms' | 'link';
  /** The requester's name; empty after the end, unless a refusal is still hidden. */
  name: string;
  numberEnd: string;
  state: InvitationState;
  requestedAt: number;
  sendsAt: number | null;
  acceptedAt: number | null;
  remindAt: number | null;
  acceptanceSeen: boolean;
  /** The answer that was e-mailed to the requester. */
  told?: 'yes' | 'no';
  /** The number cannot receive its SMS, so the requester may send a link instead. */
  undeliverable?: boolean;
  /** The browser that wrote it for an account whose mailbox nobody has proven yet. */
  unconfirmedBrowser?: string;
  evidence: [Evidence, ...Evidence[]];
}

/** What a message says of its sender and of the sharing. */
export type InvitationWords = Pick<Invitation, 'name' | 'duration'>;

/** The page of a link says what its message said; while something is shared, both say what was agreed to. */
export const wordsOf = (invitation: Invitation, asked: InvitationWords): InvitationWords => {
  const { name, duration } =
    invitation.state !== 'accepted' && invitation.name !== '' ? asked : invitation;
  return { name, duration };
};

export type InvitationDraft = Pick<
  Invitation,
  'id' | 'account' | 'duration' | 'via' | 'name' | 'numberEnd' | 'unconfirmedBrowser'
>;

export function newInvitation(
  draft: InvitationDraft,
  copyVersion: number,
  now: number,
  sendsAt: number | null = null,
): Invitation {
  const drafted: Evidence = { at: now, state: 'drafted', by: 'requester', copyVersion };
  const times = { requestedAt: now, sendsAt, acceptedAt: null, remindAt: null };
  return { ...draft, state: 'drafted', ...times, acceptanceSeen: false, evidence: [drafted] };
}

export const isOver = ({ state }: Pick<Invitation, 'state'>): boolean =>
  Object.keys(transitions[state]).length === 0;

/** Until then the invitation can be answered, and a refusal is hidden from the requester. */
export const answerDeadline = ({ requestedAt }: Pick<Invitation, 'requestedAt'>): number =>
  requestedAt + answerPeriodMs;

export function endsAt({ requestedAt, acceptedAt, duration }: Invitation): number {
  return acceptedAt === null ? answerDeadline({ requestedAt }) : acceptedAt + sharingMs[duration];
}

/** After this time everything that a code can open has ended. */
export const codeLifetimeMs = 60 * dayMs;

/** From then on no code opens the invitee's page: none is made after the deadline or the end. */
export const pageEndsAt = (invitation: Pick<Invitation, 'requestedAt' | 'evidence'>): number =>
  Math.max(answerDeadline(invitation), ...invitation.evidence.map(({ at }) => at)) + codeLifetimeMs;

export function withEvidence(
  before: Invitation,
  state: InvitationState,
  by: Actor,
  now: number,
): Invitation {
  const { copyVersion } = before.evidence[0];
  return { ...before, state, evidence: [...before.evidence, { at: now, state, by, copyVersion }] };
}

const shownEnds: ReadonlySet<Actor> = new Set(['requester', 'plan', 'clock']);

/** Whether the requester has seen, or was e-mailed, that the invitee agreed. */
export const knowsAcceptance = ({ acceptanceSeen, told }: Invitation): boolean =>
  acceptanceSeen || told === 'yes';

/** A hidden end keeps the name, because the invitee's page still shows the question. */
const keepsName = (ended: Invitation, by: Actor, now: number) =>
  !knowsAcceptance(ended) && !shownEnds.has(by) && now < answerDeadline(ended);

/** @returns null if the transition is not allowed */
export function transition(
  before: Invitation,
  action: InvitationAction,
  by: Actor,
  now: number,
): Invitation | null {
  const state = transitions[before.state][action];
  if (!state) return null;
  const after = withEvidence(before, state, by, now);
  if (isOver(after)) {
    return { ...after, name: keepsName(after, by, now) ? after.name : '', remindAt: null };
  }
  if (state !== 'accepted') return after;
  const remindAt = before.duration === 'until_stopped' ? now + firstReminderMs : null;
  return { ...after, acceptedAt: now, remindAt };
}

export function asOf(before: Invitation, now: number): Invitation {
  const end = endsAt(before);
  if (isOver(before)) {
    return before.name && now >= answerDeadline(before) ? { ...before, name: '' } : before;
  }
  if (now < end) return before;
  const action = before.state === 'accepted' ? 'stop' : 'expire';
  return transition(before, action, 'clock', end) ?? before;
}

export function withNextReminder(invitation: Invitation, now: number): Invitation {
  const { remindAt } = invitation;
  if (remindAt === null) return invitation;
  const missed = Math.max(0, Math.floor((now - remindAt) / reminderIntervalMs));
  return { ...invitation, remindAt: remindAt + (missed + 1) * reminderIntervalMs };
}
