import { type PlanFamily, planFamilies, planOf } from '../../catalog/plans.ts';
import type { Offer } from './config-documents.ts';
import { type Flow, isCheckout } from './flows.ts';
import { typeOf } from './split.ts';

/** What a screen sells: an arm's offer, as the screen shows it. */
export interface ShownOffer extends Offer {
  /**
   * Whether `after` takes the plans' place when the offer's time is over; else only for who may have no
   * intro.
   */
  expires: boolean;
}

/** Whose offer is shown: the arm's own, in its flow. */
interface Arm {
  arm: string;
  flow: Flow;
  offer: Offer;
}

/** The intros that paywalls are made for. */
const introOf: Record<string, PlanFamily> = {
  paycheck1_pr5_h_win: 'monthly_5d',
  paycheck1_pr5_h_ai: 'monthly_5d',
  paycheck_combo_3d: 'monthly_3d',
};

/** Whether a plan begins with an intro. */
const isIntro = (family: PlanFamily): boolean => planOf(family, 'USD').trialDays > 0;

const fullPriceOf = (plans: readonly PlanFamily[]): PlanFamily[] =>
  plans.some(isIntro)
    ? [...new Set(plans.map((family) => (isIntro(family) ? 'monthly' : family)))]
    : [];

/**
 * A paywall that is made for an intro shows the arm's own plans when there is an intro among them, and
 * in a flow of the type `fullPrice`, which is about having none; else its intro beside the quarterly
 * plan. The screen of payment tests shows every main plan.
 */
function plansOn(screen: string, { arm, flow, offer }: Arm): Pick<Offer, 'plans' | 'after'> {
  if (screen === 'checkout-test') {
    const all = planFamilies.filter((family) => planOf(family, 'USD').slot === 'main');
    return { plans: all, after: [] };
  }
  const intro = introOf[screen];
  const ownPaywall = typeOf(arm) === 'fullPrice' && flow.find(isCheckout) === screen;
  if (!intro || ownPaywall || offer.plans.some(isIntro)) return offer;
  return { plans: [intro, 'quarterly'], after: offer.after };
}

/** What a screen shows to an arm. Where an offer without an end has an intro, its full price comes after. */
export function shownOffer(screen: string, visitor: Arm): ShownOffer {
  const { plans, after } = plansOn(screen, visitor);
  const ends = after.length > 0;
  return { ...visitor.offer, plans, after: ends ? after : fullPriceOf(plans), expires: ends };
}

/** Every family of an offer, each once, with the full price of each intro. */
export const familiesOf = ({ plans, after, upsell, guide }: Offer): PlanFamily[] => [
  ...new Set([...plans, ...after, ...fullPriceOf(plans), upsell, guide]),
];
