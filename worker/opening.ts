import type { ErrorCode } from './errors.ts';
import { isRetry, makesWay } from './funnel/again.ts';
import type { Buyer, Terms } from './funnel/attempt.ts';
import { renews } from './funnel/bought.ts';
import type { Trace } from './funnel/conversion.ts';
import type { Discount } from './funnel/coupons.ts';
import { type Plan, planById } from './funnel/plans.ts';
import { type Attempt, type GatewayName, tooManyTries } from './funnel/purchase.ts';
import type { Ledger } from './ledger.ts';

/** What a visitor asks to buy. */
export interface Purchase {
  account: string;
  /** The account's epoch in the session that buys. */
  epoch: number;
  email: string;
  plan: string;
  gateway: GatewayName;
  nonce: string | null;
  /** What the gateway noticed of the device that pays. */
  deviceData: string | null;
  /** The coupon that lowers today's charge; or why it does not. */
  coupon: Discount | { refusal: ErrorCode } | null;
  /** Set when the payer comes back from the bank. */
  paymentId: string | null;
  /** The experiment and arm of who buys; no experiment for who takes no part. */
  experiment: string | null;
  arm: string;
  /** What the buyer was shown; or why that is not known. */
  terms: Terms | { refusal: ErrorCode } | null;
  /** What ad networks may learn of the buyer; null where that was not allowed. */
  trace: Trace | null;
  /** Names under which tries of cards are counted beside the account: visitor and address, hidden. */
  payer: readonly string[];
  /** Origin of our pages. */
  site: string;
}

/** A purchase that opens an attempt, in place of one that makes way for it. */
export interface Opening {
  plan: Plan;
  purchase: Purchase & Pick<Buyer, 'coupon' | 'terms'>;
  instead: Attempt | undefined;
}

type Verdict = { retry: Attempt } | { opening: Opening } | { refusal: ErrorCode };

const no = (refusal: ErrorCode): Verdict => ({ refusal });

/** Why nothing is bought beside, or added to, what an attempt bought; null while it renews. */
function standing(ledger: Ledger, { id }: Attempt): ErrorCode | null {
  const bought = ledger.bought().find(({ attempt }) => attempt === id);
  if (bought?.status === 'past_due') return 'payment_overdue';
  return !bought || renews(bought) ? null : 'plan_ending';
}

const hadIntro = (ledger: Ledger) =>
  ledger.attempts().some(({ state, plan }) => state === 'active' && planById(plan)?.trialDays);

/** Whether an account withdrew from a purchase or won a dispute: then nothing is sold for less. */
export const paysInFull = (ledger: Ledger) =>
  ledger.bought().some(({ withdrawnAt }) => withdrawnAt !== null) ||
  ledger.rows().some(({ kind }) => kind === 'dispute');

/** Whether a purchase is a retry of what is there, opens an attempt, or may do neither. */
export function judge(ledger: Ledger, purchase: Purchase, now: number): Verdict {
  if (ledger.profile?.left) return no('unauthorized');
  const plan = planById(purchase.plan);
  if (!plan) return no('unknown_plan');
  const instead = ledger.inSlot(plan.slot);
  const held = instead?.state === 'active' ? standing(ledger, instead) : null;
  if (held) return no(held);
  if (instead && isRetry(instead, purchase)) return { retry: instead };
  if (instead?.state === 'active') return no('already_active');
  if (instead && !makesWay(instead)) return no('slot_busy');
  if (purchase.paymentId) return no('intent_foreign');
  const needed = plan.dependsOn && ledger.inSlot(plan.dependsOn);
  if (plan.dependsOn && needed?.state !== 'active') return no('main_purchase_missing');
  const lasting = needed ? standing(ledger, needed) : null;
  if (lasting) return no(lasting);
  if (plan.slot === 'main' && !purchase.nonce) return no('nonce_missing');
  const { coupon, terms } = purchase;
  const introductory = plan.trialDays > 0;
  const typed = coupon !== null && !('code' in coupon && coupon.code === plan.coupon?.code);
  if (introductory && (hadIntro(ledger) || paysInFull(ledger))) return no('intro_used');
  if (typed && paysInFull(ledger)) return no('full_price_only');
  if (coupon && 'refusal' in coupon) return coupon;
  if (terms && 'refusal' in terms) return terms;
  if (tooManyTries(ledger.attempts(), now)) return no('declines_enough');
  return { opening: { plan, purchase: { ...purchase, coupon, terms }, instead } };
}
