import type { Catalog } from '../../catalog/rules/catalog.ts';
import type { PlanFamily } from '../../catalog/rules/plans.ts';
import type { Configuration, Offer } from './config-documents.ts';
import { type Flow, isCheckout } from './flows.ts';
import { typeOf } from './split.ts';

export interface ShownOffer extends Offer {
  /** Whether `after` replaces `plans` when the time is over; else only for buyers who may not have an intro. */
  expires: boolean;
}

interface Arm {
  arm: string;
  flow: Flow;
  offer: Offer;
  configuration: Pick<Configuration, 'catalog'>;
}

/** Products. */
const introOf: Record<string, string> = {
  paycheck1_pr5_h_win: 'monthly_5d',
  paycheck1_pr5_h_ai: 'monthly_5d',
  paycheck_combo_3d: 'monthly_3d',
};

/** Its own intro is held for the time of the countdown. */
const withEndingIntro = 'paycheck1_pr5_h_win';

/** Empty without an intro among the plans, or without a plan that is sold at its full price. */
function fullPriceOf(plans: readonly PlanFamily[], catalog: Catalog): PlanFamily[] {
  const isIntro = (family: PlanFamily) => catalog.introDaysOf(family) > 0;
  if (!plans.some(isIntro)) return [];
  const full = plans.map((family) => (isIntro(family) ? catalog.fullPriceOf(family) : family));
  return [...new Set(full.flatMap((family) => family ?? []))];
}

/**
 * A paywall designed around an intro shows the arm's plans if they include an intro, or if the arm has
 * the type `fullPrice` and this is its paywall. Otherwise it shows its own intro and the quarterly plan; on one
 * the intro ends with the countdown.
 * The screen for payment tests shows every main plan.
 */
function plansOn(
  screen: string,
  { arm, flow, offer, configuration: { catalog } }: Arm,
): Pick<Offer, 'plans' | 'after'> {
  if (screen === 'checkout-test') {
    return { plans: catalog.familiesIn('main'), after: [] };
  }
  const intro = catalog.resolve(introOf[screen] ?? '');
  const ownPaywall = typeOf(arm) === 'fullPrice' && flow.find(isCheckout) === screen;
  if (!intro || ownPaywall || offer.plans.some((family) => catalog.introDaysOf(family) > 0))
    return offer;
  const quarterly = catalog.resolve('quarterly');
  const plans = [intro, ...(quarterly ? [quarterly] : [])];
  const ends = offer.after.length === 0 && screen === withEndingIntro;
  return { plans, after: ends ? fullPriceOf(plans, catalog) : offer.after };
}

/** An intro in an offer that does not expire is followed by its full price. */
export function shownOffer(screen: string, visitor: Arm): ShownOffer {
  const { plans, after } = plansOn(screen, visitor);
  const expires = after.length > 0;
  const { catalog } = visitor.configuration;
  const full = fullPriceOf(plans, catalog);
  return { ...visitor.offer, plans, after: expires ? after : full, expires };
}

type Ending = Pick<ShownOffer, 'plans' | 'after' | 'expires'>;

/** What is no longer sold when the time of an offer is over. */
export const endingFamilies = ({ plans, after, expires }: Ending): PlanFamily[] =>
  expires ? plans.filter((family) => !after.includes(family)) : [];

export const familiesOf = (
  { plans, after, upsell, guide }: Offer,
  catalog: Catalog,
): PlanFamily[] => [
  ...new Set([...plans, ...after, ...fullPriceOf(plans, catalog), upsell, guide]),
];
