const hour = 60 * 60_000;
const day = 24 * hour;

/** How long a yes may last, in ms; nothing is shared for longer. */
const lasting = { hour, day, until_stopped: 30 * day } as const;
/** An invitation that is not answered ends after so long, in ms. */
const unanswered = 7 * day;
/** The located person is reminded after the first of these, then in steps of the second, in ms. */
const reminders = { first: day, later: 7 * day };

export type Duration = keyof typeof lasting;
export const durations = Object.keys(lasting) as Duration[];

export type InvitationState =
  | 'drafted'
  | 'sent'
  | 'opened'
  | 'accepted'
  | 'declined'
  | 'blocked'
  | 'expired'
  | 'stopped';

/** What can happen to an invitation. */
export type Act = 'send' | 'open' | 'accept' | 'decline' | 'block' | 'expire' | 'stop';

/** Every legal move; what is not here does not happen. */
const moves: Record<InvitationState, Partial<Record<Act, InvitationState>>> = {
  drafted: { send: 'sent', block: 'blocked', expire: 'expired' },
  sent: { open: 'opened', block: 'blocked', expire: 'expired' },
  opened: { accept: 'accepted', decline: 'declined', block: 'blocked', expire: 'expired' },
  accepted: { stop: 'stopped' },
  declined: {},
  blocked: {},
  expired: {},
  stopped: {},
};

/** Whose doing a change was. */
export type By = 'requester' | 'person' | 'clock' | 'vendor' | 'report' | 'hold' | 'country';

/** One change, as it is kept to show later what was asked and what was answered. */
interface Evidence {
  /** Ms since 1970. */
  at: number;
  state: InvitationState;
  by: By;
  /** Version of the words that were asked with. */
  text: number;
}

/** One person's question to another. Times in ms since 1970. */
export interface Invitation {
  id: string;
  /** Id of the account that asks. */
  account: string;
  duration: Duration;
  via: 'text' | 'link';
  /** Who asks, as the person reads it; empty once it is over, and after a no once all may know. */
  name: string;
  /** The number's last two digits; empty once its requester has left. */
  numberEnd: string;
  state: InvitationState;
  askedAt: number;
  /** When its text goes out; null for a link, which its requester hands on. */
  sendsAt: number | null;
  acceptedAt: number | null;
  /** When the person is reminded that they share; null for never. */
  remindAt: number | null;
  /** Whether its requester was ever shown a yes. */
  seen: boolean;
  evidence: Evidence[];
}

/** What a requester asks for. */
export type Draft = Pick<Invitation, 'id' | 'account' | 'duration' | 'via' | 'name' | 'numberEnd'>;

/** A new question. @param text version of its words */
export function draft(
  asked: Draft,
  text: number,
  now: number,
  sendsAt: number | null = null,
): Invitation {
  const evidence: Evidence[] = [{ at: now, state: 'drafted', by: 'requester', text }];
  const times = { askedAt: now, sendsAt, acceptedAt: null, remindAt: null };
  return { ...asked, state: 'drafted', ...times, seen: false, evidence };
}

/** Whether nothing can happen to it any more. */
export const isOver = ({ state }: Pick<Invitation, 'state'>): boolean =>
  Object.keys(moves[state]).length === 0;

/** Until when it can be answered, and no end without a yes shows to who asked. */
export const answerDeadline = ({ askedAt }: Pick<Invitation, 'askedAt'>): number =>
  askedAt + unanswered;

/** When it ends by itself: unanswered, or when its time is over. */
export function endsAt({ askedAt, acceptedAt, duration }: Invitation): number {
  return acceptedAt === null ? answerDeadline({ askedAt }) : acceptedAt + lasting[duration];
}

/** An invitation with one more line of evidence. */
export function noted(before: Invitation, state: InvitationState, by: By, now: number): Invitation {
  const text = before.evidence[0]?.text ?? 0;
  return { ...before, state, evidence: [...before.evidence, { at: now, state, by, text }] };
}

/** The name stays with an end that is hidden, so that the person's page can go on asking. */
const keepsName = (over: Invitation, by: By, now: number) =>
  !over.seen && by !== 'requester' && by !== 'clock' && now < answerDeadline(over);

/** An invitation after an act; null where the act is not legal. */
export function act(before: Invitation, what: Act, by: By, now: number): Invitation | null {
  const state = moves[before.state][what];
  if (!state) return null;
  const after = noted(before, state, by, now);
  if (isOver(after)) {
    return { ...after, name: keepsName(after, by, now) ? after.name : '', remindAt: null };
  }
  if (state !== 'accepted') return after;
  const remindAt = before.duration === 'until_stopped' ? now + reminders.first : null;
  return { ...after, acceptedAt: now, remindAt };
}

/** An invitation at a time: over when its time is. */
export function at(before: Invitation, now: number): Invitation {
  const end = endsAt(before);
  if (isOver(before)) {
    return before.name && now >= answerDeadline(before) ? { ...before, name: '' } : before;
  }
  if (now < end) return before;
  return act(before, before.state === 'accepted' ? 'stop' : 'expire', 'clock', end) ?? before;
}

/** Sets the next reminder after one that is due. */
export function reminded(invitation: Invitation, now: number): Invitation {
  const { remindAt } = invitation;
  if (remindAt === null) return invitation;
  const missed = Math.max(0, Math.floor((now - remindAt) / reminders.later));
  return { ...invitation, remindAt: remindAt + (missed + 1) * reminders.later };
}
