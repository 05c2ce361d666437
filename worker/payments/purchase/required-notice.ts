import { dayMs } from '../../platform/durations.ts';
import { epochMs } from '../../platform/types.ts';
import { deliveryMs } from './price-raise.ts';
import { isSameRenewal } from './renewal-notice.ts';
import type { NoticeMail } from './renewal-state.ts';
import type { Subscription } from './state.ts';
import { renews } from './subscription.ts';

/** What became of an e-mail: `id` is ours, `mailId` the vendor's. */
export interface SentNotice {
  id: string;
  isSent: boolean;
  mailId: string | null;
}

type Facts = Pick<
  Subscription,
  | 'attempt'
  | 'status'
  | 'ends'
  | 'cancelRequestedAt'
  | 'withdrawnAt'
  | 'trialUntil'
  | 'paidUntil'
  | 'remindedUntil'
>;

/** `charge`: nothing more to ask. `stop`: the charge that it announced may not come. */
type Step = 'charge' | 'stop' | NoticeMail;

/** Of a trial and of half a year or more. The reminder of a paid intro is a courtesy. */
function isRequired({ attempt, trialUntil, remindedUntil }: Facts, id: string): boolean {
  if (remindedUntil === null) return false;
  const isTrial = trialUntil !== null && remindedUntil <= trialUntil + dayMs;
  return id === `renewal_reminder:${attempt}${isTrial ? '' : `:${remindedUntil}`}`;
}

/** When the announced charge is due; null if it has come, or will not. */
function chargeAt(facts: Facts, now: number): number | null {
  const { status, paidUntil, remindedUntil } = facts;
  if (status !== 'active' || !renews(facts) || paidUntil === null || paidUntil <= now) return null;
  return isSameRenewal(paidUntil, remindedUntil) ? paidUntil : null;
}

/** @returns null for an e-mail that no charge depends on */
export function afterSending(facts: Facts, notice: SentNotice, now: number): Step | null {
  const { id, isSent, mailId } = notice;
  if (!isRequired(facts, id) || chargeAt(facts, now) === null) return null;
  if (!isSent) return 'stop';
  return mailId === null ? 'charge' : { mailId, checkAt: epochMs(now + deliveryMs) };
}

/** @param hasBounced null if the vendor does not say: it is asked again, until a day before the charge */
export function afterCheck(
  facts: Facts & { noticeMail: NoticeMail },
  hasBounced: boolean | null,
  now: number,
): Step {
  const at = chargeAt(facts, now);
  if (at === null) return 'charge';
  if (hasBounced) return 'stop';
  const isLastTry = now + 2 * dayMs > at;
  if (hasBounced !== null || isLastTry) return 'charge';
  return { ...facts.noticeMail, checkAt: epochMs(now + dayMs) };
}
