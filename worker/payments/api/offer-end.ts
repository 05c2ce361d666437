import type { Context } from 'hono';
import { offerSeconds } from '../../../locales/format/offer-time.ts';
import { type KnownAccount, startOffer } from '../../accounts/account-table.ts';
import { holdsPrice } from '../../catalog/checkout-terms.ts';
import type { Plan } from '../../catalog/rules/plans.ts';
import { endingFamilies } from '../../experiments/rules/shown-offer.ts';
import { accountDatabase } from '../../platform/account-databases.ts';
import { minuteMs } from '../../platform/durations.ts';
import type { App } from '../../platform/env.ts';

/** Ends after the page's countdown, so that a payment under way arrives. */
const offerLifetimeMs = offerSeconds * 1000 + 2 * minuteMs;

/** Whether the countdown of the page has ended, and with it the price that it holds. */
export async function isOfferOver(
  c: Context<App>,
  account: KnownAccount,
  { plan, stamp }: { plan: Plan; stamp: string | null },
): Promise<boolean> {
  const { offer } = c.var.assignment;
  const isHeld = stamp
    ? holdsPrice(stamp, plan)
    : endingFamilies({ ...offer, expires: offer.after.length > 0 }).includes(plan.family);
  if (!isHeld) return false;
  const now = Date.now();
  const start = await startOffer(accountDatabase(c.env, account.id), account, now);
  return now > start + offerLifetimeMs;
}
