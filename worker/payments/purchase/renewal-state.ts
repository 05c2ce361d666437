import type { Plan } from '../../catalog/rules/plans.ts';
import type { EpochMs, Minor, PaymentId } from '../../platform/types.ts';

/**
 * `ending`, `paused`, `changed`: its owner did that. `unnotified`: the e-mail was not sent or bounced. `unpaid`,
 * `moved`: the renewal is not the one that was announced.
 */
export type StopReason =
  | 'ending'
  | 'paused'
  | 'changed'
  | 'unnotified'
  | 'unpaid'
  | 'moved'
  | 'gateway';

/** A higher price of a running subscription: a later version of its product. Times in ms since 1970. */
export interface Raise {
  plan: Plan;
  amount: Minor;
  state: 'announced' | 'agreed' | 'scheduled' | 'applied' | 'stopped';
  /** The operator's date: no renewal before it costs more. */
  from: EpochMs;
  needsYes: boolean;
  announcedAt: EpochMs;
  noticedAt: EpochMs | null;
  mailId: string | null;
  isDelivered: boolean;
  /** The first renewal at the higher price; null while the yes is missing. */
  at: EpochMs | null;
  changeId: string | null;
  dueAt: EpochMs | null;
  why: StopReason | null;
}

/** The vendor's id of an e-mail, and when it is asked whether it bounced. */
export interface NoticeMail {
  mailId: string;
  checkAt: EpochMs;
}

/** A renewed period that its owner ended, where the law allows it, with the refund for the days after `at`. */
export interface EarlyEnd {
  at: EpochMs;
  back: Minor;
  paymentId: PaymentId;
}

export type FailureStep = 'failed' | 'middle' | 'last';

/**
 * `retried`: the gateway's own retry was paid. `waived`: an operator gave the period away. `lost`: it was never paid,
 * and the subscription ended.
 */
export type FailureOutcome =
  | 'open'
  | 'retried'
  | 'new_card'
  | 'waived'
  | 'cancelled'
  | 'disputed'
  | 'lost';

/** A renewal that was not paid when due. Times in ms since 1970. */
export interface FailedRenewal {
  /** Of the last paid period; distinguishes one failure from the next. */
  periodEndedAt: EpochMs;
  failedAt: EpochMs;
  amount: Minor;
  outcome: FailureOutcome;
  endedAt: EpochMs | null;
  /** The e-mails that are still to be sent, the next one first. */
  notices: { step: FailureStep; at: EpochMs }[];
}
