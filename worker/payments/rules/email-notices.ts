import type { Plan } from '../../catalog/plans.ts';
import { type EpochMs, epochMs, type Minor } from '../../types.ts';
import type { Attempt } from './attempt.ts';
import { withdrawalDay } from './refund-rights.ts';
import type { Subscription } from './subscription.ts';

/** Times in ms since 1970. */
interface About {
  plan: string;
  coupon: string | null;
  at: number;
  timeZone: string;
}

/** An e-mail about money. Its id follows from the event, so that a repeated delivery is sent once. */
export type Notice = { id: string; until: number | null } & (
  | {
      template: 'bought';
      data: About & { paid: Minor; renews: EpochMs | null; withdraw: number | null };
    }
  | { template: 'reminder'; data: About & { renews: number } }
  | { template: 'cancelled'; data: About & { ends: number | null } }
  | { template: 'extra_ended'; data: About & { ends: number | null } }
  | { template: 'confirm_payment'; data: About & { invoice: string } }
  | { template: 'resumed'; data: About & { renews: number } }
  | { template: 'withdrawn'; data: About & { back: Minor; claimed: boolean } }
  | { template: 'refunded'; data: About & { back: Minor } }
);

const day = 24 * 60 * 60_000;

const about = ({ plan, coupon, terms }: Attempt, at: number): About => ({
  plan,
  coupon,
  at,
  timeZone: terms?.timeZone ?? 'UTC',
});

export function purchaseNotice(attempt: Attempt, subscription: Subscription, now: number): Notice {
  const { id, charge, amount, terms } = attempt;
  const told = { paid: charge?.amount ?? amount, renews: subscription.paidUntil };
  const data = { ...about(attempt, now), ...told, withdraw: withdrawalDay(terms) };
  return { id: `bought:${id}`, template: 'bought', until: null, data };
}

export function remindAt(
  { trialDays }: Pick<Plan, 'trialDays'>,
  paidUntil: EpochMs | null,
): EpochMs | null {
  return trialDays > 0 && paidUntil !== null ? epochMs(paidUntil - day) : null;
}

/** Null when nothing will be charged; not sent after the renewal. */
export function reminderOf(
  attempt: Attempt,
  subscription: Subscription,
  now: number,
): Notice | null {
  const { paidUntil: renews, ends, cancelAskedAt, status } = subscription;
  const stays = status === 'active' && !ends && cancelAskedAt === null;
  if (!stays || renews === null || renews <= now) return null;
  const data = { ...about(attempt, now), renews };
  return { id: `reminder:${attempt.id}`, template: 'reminder', until: renews, data };
}

export function cancellationNotice(
  attempt: Attempt,
  { paidUntil: ends, cancelAskedAt }: Subscription,
  now: number,
): Notice {
  const data = { ...about(attempt, now), ends };
  return {
    id: `cancelled:${attempt.id}:${cancelAskedAt}`,
    template: 'cancelled',
    until: null,
    data,
  };
}

export function extraEndedNotice(
  attempt: Attempt,
  { paidUntil: ends, cancelAskedAt }: Subscription,
  now: number,
): Notice {
  const data = { ...about(attempt, now), ends };
  const id = `extra_ended:${attempt.id}:${cancelAskedAt}`;
  return { id, template: 'extra_ended', until: null, data };
}

export function confirmNotice(attempt: Attempt, invoice: string, now: number): Notice {
  const data = { ...about(attempt, now), invoice };
  return { id: `confirm_payment:${invoice}`, template: 'confirm_payment', until: null, data };
}

export function resumptionNotice(
  attempt: Attempt,
  { paidUntil, resumedAt }: Subscription,
  now: number,
): Notice {
  const data = { ...about(attempt, now), renews: paidUntil ?? now };
  return { id: `resumed:${attempt.id}:${resumedAt}`, template: 'resumed', until: null, data };
}

/** @param back the refund @param claimed whether under the guarantee */
export function withdrawalNotice(
  attempt: Attempt,
  back: Minor,
  claimed: boolean,
  now: number,
): Notice {
  const data = { ...about(attempt, now), back, claimed };
  return { id: `withdrawn:${attempt.id}`, template: 'withdrawn', until: null, data };
}

export function refundNotice(attempt: Attempt, id: string, back: Minor, at: number): Notice {
  const data = { ...about(attempt, at), back };
  return { id: `refunded:${id}`, template: 'refunded', until: null, data };
}
