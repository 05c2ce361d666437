import Stripe from 'stripe';
import { type Plan, type PlanId, planById } from '../../../catalog/plans.ts';
import { differs, type PriceCheck } from '../price-check.ts';
import type { StripeClient } from './client.ts';
import { parseIdMap } from './prices.ts';

export type OfferMap = Partial<Record<PlanId, string>>;

/**
 * The variable `STRIPE_TRIAL_OFFERS`. An intro that it leaves out is a trial with an invoice item
 * (docs.stripe.com/billing/subscriptions/trials). @throws {RangeError} also for a plan without an intro
 */
export function offersOf(variable: string | undefined): OfferMap {
  const map = parseIdMap(variable, 'STRIPE_TRIAL_OFFERS', 'to');
  for (const id of Object.keys(map)) {
    if (planById(id)?.trialDays) continue;
    throw new RangeError(`STRIPE_TRIAL_OFFERS names a plan without an intro: ${id}`);
  }
  return map;
}

const daysIn: Partial<Record<string, number>> = { day: 1, week: 7 };
const idOf = (value: string | { id: string } | undefined) =>
  typeof value === 'object' ? value.id : (value ?? '');

async function problemsOf(
  stripe: StripeClient,
  offer: Stripe.ProductCatalog.TrialOffer,
  plan: Plan,
) {
  const intro = await stripe.prices.retrieve(idOf(offer.price));
  const after = await stripe.prices.retrieve(idOf(offer.end_behavior.transition?.price));
  const currency = plan.currency.toLowerCase();
  const { interval = '', interval_count = 0 } = intro.recurring ?? {};
  const length =
    (daysIn[interval] ?? 0) * interval_count * (offer.duration.relative?.iterations ?? 1);
  return [
    ...(offer.active ? [] : ['it is archived']),
    ...differs('amount of the intro', intro.unit_amount, plan.today),
    ...differs('currency of the intro', intro.currency, currency),
    ...differs('days of the intro', length, plan.trialDays),
    ...differs('amount after it', after.unit_amount, plan.price),
    ...differs('currency after it', after.currency, currency),
    ...differs('interval after it', after.recurring?.interval, 'month'),
    ...differs('interval_count after it', after.recurring?.interval_count, 1),
  ];
}

/** Compares trial offers with the catalog. Three calls per offer. */
export async function checkOffers(stripe: StripeClient, map: OfferMap): Promise<PriceCheck[]> {
  const checks: PriceCheck[] = [];
  for (const [id, offerId] of Object.entries(map)) {
    const plan = planById(id);
    if (!plan) continue;
    const check = { plan: plan.id, price: offerId };
    try {
      const offer = await stripe.productCatalog.trialOffers.retrieve(offerId);
      checks.push({ ...check, problems: await problemsOf(stripe, offer, plan) });
    } catch (error) {
      const invalid = error instanceof Stripe.errors.StripeInvalidRequestError;
      if (!invalid || error.code !== 'resource_missing') throw error;
      checks.push({ ...check, problems: ['it does not exist'] });
    }
  }
  return checks;
}
