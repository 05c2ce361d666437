import { monthsOfPeriod } from '../../../locales/format/periods.ts';
import { addMonths, renewalSteps } from '../../catalog/rules/renewal-date.ts';
import { dayMs } from '../../platform/durations.ts';
import { type EpochMs, epochMs, type Minor } from '../../platform/types.ts';
import type { Notice } from '../notices/email-notices.ts';
import { upcomingPlan } from './price-raise.ts';
import type { Subscription } from './state.ts';

/** A charge that a page, a quote or an e-mail announced to the buyer. */
export interface AnnouncedCharge {
  amount: Minor;
  /** It is not made before this day, ms since 1970. */
  at: EpochMs;
  /** After how many months it is made again; 0 for weeks, and for a single charge. */
  months: number;
  weeks?: number;
  /** How often; for good without it. */
  times?: number;
  /** The purchase, quote or e-mail that announced it. */
  by: string;
}

/** Banks and gateways charge by days, in time zones of their own. */
const toleranceMs = dayMs;

type Renewal = Pick<AnnouncedCharge, 'at' | 'by'> & {
  plan: Notice['data']['plan'];
  coupon: string | null;
  amount?: Minor;
};

function renewalOf({ plan, coupon, amount, at, by }: Renewal): AnnouncedCharge[] {
  if (plan.period === 'once') return [];
  const months = monthsOfPeriod[plan.period];
  const weekly = plan.period === 'week' && { weeks: 1 };
  const steps = renewalSteps(plan, coupon, at);
  const told = amount === undefined || steps.length > 1 ? steps : [{ amount, at }];
  return told.map((step) => ({ ...step, months, ...weekly, by }));
}

/** The renewals that an e-mail about a plan announces; null if it says nothing about them. */
export function announcedBy(notice: Notice): AnnouncedCharge[] | null {
  const { id: by, template, data } = notice;
  const { plan, coupon } = data;
  const on = (at: number, amount?: Minor) =>
    renewalOf({ plan, coupon, at: epochMs(at), by, ...(amount && { amount }) });
  switch (template) {
    case 'purchase_confirmation':
      return data.renews === null ? [] : on(data.renews);
    case 'renewal_receipt':
      return data.renews === null ? null : on(data.renews);
    case 'renewal_reminder':
    case 'pause_reminder':
    case 'resumption':
      return on(data.renews);
    case 'plan_change':
      return on(data.next.at, data.next.amount);
    case 'price_raise': {
      if (data.step === 'asked') return null;
      const isNext = data.renews >= data.next.at - toleranceMs;
      return [
        ...(isNext ? [] : on(data.renews, data.before)),
        ...on(data.next.at, data.next.amount),
      ];
    }
    case 'renewal_failed':
      return data.amount > 0 ? on(data.at, data.amount) : null;
    case 'cancellation':
    case 'extra_ended':
    case 'withdrawal':
    case 'debit_failed':
      return [];
    case 'payment_confirmation':
    case 'card_expires':
    case 'debit_processing':
    case 'refund':
      return null;
    default:
      return template satisfies never;
  }
}

/** What the account page showed for a subscription that is older than this list. */
export function announcedOnPage(
  subscription: Subscription,
  coupon: string | null,
): AnnouncedCharge[] {
  const { attempt, paidUntil, pausesUntil } = subscription;
  const at = pausesUntil ?? paidUntil;
  const plan = upcomingPlan(subscription);
  return at === null ? [] : renewalOf({ plan, coupon, at, by: attempt });
}

const isSingle = ({ months, weeks = 0 }: AnnouncedCharge): boolean => months + weeks === 0;

/** Renewals that were announced later replace the earlier ones; a single charge that was agreed to stays. */
export const withAnnounced = (
  before: readonly AnnouncedCharge[],
  renewals: readonly AnnouncedCharge[],
): AnnouncedCharge[] => [...before.filter(isSingle), ...renewals];

/** The announcements left after a charge; null if nobody announced it. */
export function takeAnnounced(
  announced: readonly AnnouncedCharge[],
  charge: Pick<AnnouncedCharge, 'amount' | 'at'>,
): AnnouncedCharge[] | null {
  const found = announced.find(
    ({ amount, at }) => amount === charge.amount && charge.at >= at - toleranceMs,
  );
  if (!found) return null;
  const { months, weeks = 0, times } = found;
  const at = epochMs(addMonths(found.at, months) + weeks * 7 * dayMs);
  const next = { ...found, at, ...(times && { times: times - 1 }) };
  return announced.flatMap((one) => {
    if (one !== found) return [one];
    return isSingle(found) || times === 1 ? [] : [next];
  });
}
