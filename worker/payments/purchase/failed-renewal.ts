import { dayMs, hourMs } from '../../platform/durations.ts';
import { type EpochMs, epochMs, type Minor } from '../../platform/types.ts';
import { atDaytime } from './daytime.ts';
import type { FailedRenewal, FailureOutcome, FailureStep } from './renewal-state.ts';
import type { Subscription, SubscriptionState } from './state.ts';

/** In the first hour the e-mail that asks for a confirmation at the bank replaces the first one. */
const firstNoticeDelayMs = hourMs;
const minGapMs = 12 * hourMs;

/** At the failure, half-way through the grace period and a day before its end, each by day. After a pause only once. */
export function failureNotices(
  { failedAt, periodEndedAt }: Pick<FailedRenewal, 'failedAt' | 'periodEndedAt'>,
  accessEnds: number | null,
  timeZone: string,
): FailedRenewal['notices'] {
  if (accessEnds === null)
    return [{ step: 'failed', at: epochMs(atDaytime(failedAt + firstNoticeDelayMs, timeZone)) }];
  const planned: [FailureStep, number][] = [
    ['failed', failedAt + firstNoticeDelayMs],
    ['middle', (periodEndedAt + accessEnds) / 2],
    ['last', accessEnds - dayMs],
  ];
  const notices: FailedRenewal['notices'] = [];
  for (const [step, wanted] of planned) {
    const at = epochMs(atDaytime(wanted, timeZone));
    const earliest = notices.at(-1)?.at ?? failedAt - minGapMs;
    if (at >= earliest + minGapMs && at < accessEnds) notices.push({ step, at });
  }
  return notices;
}

/** The gateway's state of a subscription, beside its status. */
export interface Reading {
  unpaid: Minor;
  /** Whether a chargeback is open or lost. */
  isDisputed: boolean;
  /** When access ends without a payment, ms since 1970; null after a pause, which had none. */
  accessEnds: number | null;
  timeZone: string;
}

const isUnresolved = (failure: FailedRenewal | null): failure is FailedRenewal =>
  failure?.outcome === 'open' || failure?.outcome === 'disputed';

export const isFailureChanged = (
  failure: FailedRenewal | null,
  before?: FailedRenewal | null,
): boolean =>
  !!failure &&
  (failure.periodEndedAt !== before?.periodEndedAt || failure.outcome !== before.outcome);

function resolve(failure: FailedRenewal | null, outcome: FailureOutcome, now: number) {
  if (!isUnresolved(failure) || failure.outcome === outcome) return failure;
  return { ...failure, outcome, endedAt: epochMs(now), notices: [] };
}

function failedNow(
  failure: FailedRenewal | null,
  paidUntil: EpochMs | null,
  reading: Reading | undefined,
  now: number,
): FailedRenewal | null {
  // Excludes a first payment still under way; gateways bill within the day.
  if (!reading || paidUntil === null || paidUntil - dayMs > now) return failure;
  const isKnown = failure?.periodEndedAt === paidUntil;
  if (isKnown) return reading.isDisputed ? resolve(failure, 'disputed', now) : failure;
  const times = { periodEndedAt: paidUntil, failedAt: epochMs(now) };
  const { unpaid: amount, isDisputed, accessEnds, timeZone } = reading;
  const notices = isDisputed ? [] : failureNotices(times, accessEnds, timeZone);
  return { ...times, amount, outcome: isDisputed ? 'disputed' : 'open', endedAt: null, notices };
}

type Standing = Pick<Subscription, 'failure' | 'paidUntil' | 'cardChangedAt'> &
  Partial<Pick<Subscription, 'giftUntil'>>;

/** The failure after a step of the state machine; after its outcome no more e-mails are sent. */
export function followFailure(
  { failure, paidUntil, giftUntil, cardChangedAt }: Standing,
  state: SubscriptionState,
  reading: Reading | undefined,
  now: number,
): FailedRenewal | null {
  switch (state) {
    case 'past_due':
      return failedNow(failure, paidUntil, reading, now);
    case 'active': {
      if (!failure || paidUntil === null || paidUntil <= failure.periodEndedAt)
        return resolve(failure, 'cancelled', now);
      if (giftUntil === paidUntil) return resolve(failure, 'waived', now);
      const isNewCard = cardChangedAt !== null && cardChangedAt >= failure.failedAt;
      return resolve(failure, isNewCard ? 'new_card' : 'retried', now);
    }
    case 'paused':
    case 'ending':
      return resolve(failure, 'cancelled', now);
    case 'ended':
      return resolve(failure, reading?.isDisputed ? 'disputed' : 'lost', now);
    default:
      return state satisfies never;
  }
}

/** If several are due only the last is sent. @returns also when the next one is due, ms since 1970 */
export function takeNotice(
  failure: FailedRenewal | null,
  now: number,
): { failure: FailedRenewal | null; notice: FailureStep | null; nextAt: number } {
  const due = failure?.notices.filter(({ at }) => at <= now) ?? [];
  const notices = failure?.notices.slice(due.length) ?? [];
  return {
    failure: failure && { ...failure, notices },
    notice: due.at(-1)?.step ?? null,
    nextAt: notices[0]?.at ?? Number.POSITIVE_INFINITY,
  };
}
