import { type PlanFamily, planFamilies, planOf } from '../../catalog/rules/plans.ts';
import type { Offer } from './config-documents.ts';
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
}

const introOf: Record<string, PlanFamily> = {
  paycheck1_pr5_h_win: 'monthly_5d',
  paycheck1_pr5_h_ai: 'monthly_5d',
  paycheck_combo_3d: 'monthly_3d',
};

/** Its own intro is held for the time of the countdown. */
const withEndingIntro = 'paycheck1_pr5_h_win';

const isIntro = (family: PlanFamily): boolean => planOf(family, 'USD').introDays !== 0;

const fullPriceOf = (plans: readonly PlanFamily[]): PlanFamily[] =>
  plans.some(isIntro)
    ? [...new Set(plans.map((family) => (isIntro(family) ? 'monthly' : family)))]
    : [];

/**
 * A paywall designed around an intro shows the arm's plans if they include an intro, or if the arm has
 * the type `fullPrice` and this is its paywall. Otherwise it shows its own intro and the quarterly plan; on one
 * the intro ends with the countdown.
 * The screen for payment tests shows every main plan.
 */
function plansOn(screen: string, { arm, flow, offer }: Arm): Pick<Offer, 'plans' | 'after'> {
  if (screen === 'checkout-test') {
    const all = planFamilies.filter((family) => planOf(family, 'USD').slot === 'main');
    return { plans: all, after: [] };
  }
  const intro = introOf[screen];
  const ownPaywall = typeOf(arm) === 'fullPrice' && flow.find(isCheckout) === screen;
  if (!intro || ownPaywall || offer.plans.some(isIntro)) return offer;
  const plans: PlanFamily[] = [intro, 'quarterly'];
  const ends = offer.after.length === 0 && screen === withEndingIntro;
  return { plans, after: ends ? fullPriceOf(plans) : offer.after };
}

/** An intro in an offer that does not expire is followed by its full price. */
export function shownOffer(screen: string, visitor: Arm): ShownOffer {
  const { plans, after } = plansOn(screen, visitor);
  const expires = after.length > 0;
  return { ...visitor.offer, plans, after: expires ? after : fullPriceOf(plans), expires };
}

type Ending = Pick<ShownOffer, 'plans' | 'after' | 'expires'>;

/** What is no longer sold when the time of an offer is over. */
export const endingFamilies = ({ plans, after, expires }: Ending): PlanFamily[] =>
  expires ? plans.filter((family) => !after.includes(family)) : [];

export const familiesOf = ({ plans, after, upsell, guide }: Offer): PlanFamily[] => [
  ...new Set([...plans, ...after, ...fullPriceOf(plans), upsell, guide]),
];
