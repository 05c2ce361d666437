import type { AdClickData } from '../../analytics/rules/conversion.ts';
import type { Segment } from '../../analytics/rules/count.ts';
import type { TermsResult } from '../../catalog/checkout-terms.ts';
import { builtInCatalog } from '../../catalog/rules/catalog.ts';
import { couponOfCode } from '../../catalog/rules/coupon-codes.ts';
import type { Discount } from '../../catalog/rules/coupons.ts';
import type { Plan, PlanId, Slot } from '../../catalog/rules/plans.ts';
import { isRedirectWallet } from '../../catalog/rules/stripe-wallets.ts';
import { type Refused, refused } from '../../platform/errors.ts';
import type { AccountId, PaymentId } from '../../platform/types.ts';
import { tooManyCardAttempts } from '../fraud/rules/card-limits.ts';
import { isFinal, markFailed, resumeAfterChallenge } from '../purchase/attempt.ts';
import { resumeRerouted } from '../purchase/failover.ts';
import { gatewayTraits } from '../purchase/gateway-traits.ts';
import { type Buyer, newAttempt } from '../purchase/new-attempt.ts';
import { answers, type Standing, standingOf } from '../purchase/purchase-refusal.ts';
import { runningCurrency } from '../purchase/running-currency.ts';
import type { Attempt, GatewayName } from '../purchase/state.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';
import type { ChangeStorage } from '../subscriptions/change-storage.ts';
import { leavesBank } from './rules/return-from-bank.ts';

export interface Purchase extends Omit<Buyer, 'coupon' | 'terms'> {
  account: AccountId;
  /** The account's epoch in the buyer's session. */
  epoch: number;
  email: string;
  /** Whether the mailbox is proven. */
  isVerified: boolean;
  /** Epoch ms; the caller of an earlier build does not send it. */
  signedUpAt?: number;
  /** Whether a report keeps the buyer from buying. */
  isSuspended?: boolean;
  /** Its id, which the caller of an earlier build sends alone; that one sells built-in plans only. */
  plan: PlanId;
  /** As it was shown. */
  soldPlan?: Plan;
  /** The gateways that do not sell it; see `sells`. */
  unsoldAt?: readonly GatewayName[];
  coupon: Discount | Refused | null;
  paymentId: PaymentId | null;
  /** Whether the buyer has just entered the payment method; see `leavesBank`. */
  isEntered?: boolean;
  terms: TermsResult | null;
  /** Whether the plan is in another currency than the buyer's country and the page. */
  isForeign?: boolean;
  adClickData: AdClickData | null;
  /** Keyed hashes of the visitor and the client IP, whose card attempts count together. */
  cardCounterNames: readonly string[];
  siteOrigin: string;
  slice?: Segment;
}

export interface NewPurchase {
  plan: Plan;
  purchase: Omit<Purchase, 'coupon' | 'terms'> & Pick<Buyer, 'coupon' | 'terms'>;
  replaces: Attempt | undefined;
}

type Decision =
  | { kind: 'retry'; attempt: Attempt }
  /** It has to be cancelled at its gateway before another payment method is charged. */
  | { kind: 'leave'; attempt: Attempt }
  | ({ kind: 'create' } & NewPurchase)
  | Refused;

interface Requested {
  plan: Plan;
  gateway: GatewayName;
  nonce: string | null;
  coupon: Pick<Discount, 'kind' | 'code'> | Refused | null;
}

/** The amount is not compared for a final attempt, or if the coupon is refused by now. */
export function isRetry(before: Attempt, { plan, gateway, nonce, coupon }: Requested): boolean {
  const isAmountUnknown = isFinal(before.state) || coupon?.kind === 'refused';
  const code = coupon?.kind === 'discount' ? coupon.code : null;
  const isSameGateway = nonce === null || before.gateway === gateway;
  return before.plan.id === plan.id && isSameGateway && (isAmountUnknown || before.coupon === code);
}

/** Where a challenge charges nothing, another request replaces it. A rerouted attempt is charged nowhere. */
export const canBeReplaced = ({ gateway, state }: Pick<Attempt, 'gateway' | 'state'>): boolean =>
  state === 'rerouted' || (state === 'challenged' && gatewayTraits[gateway].verifiesBeforeCharge);

function standing(storage: PurchaseStorage, slot: Slot, now: number): Standing {
  const attempt = storage.attemptInSlot(slot);
  return standingOf(attempt !== undefined, attempt && storage.subscription(attempt.id), now);
}

const hadIntro = (storage: PurchaseStorage) =>
  storage
    .attempts()
    .some(({ id, state, plan }) => state === 'active' && plan.introDays && storage.counts(id));

/** Whether an account withdrew from a purchase or won a dispute: then it gets no lower price. */
export const paysInFull = (storage: PurchaseStorage) =>
  storage
    .subscriptions()
    .some(({ attempt, withdrawnAt }) => withdrawnAt !== null && storage.counts(attempt)) ||
  storage.rows().some(({ attempt, kind }) => kind === 'dispute' && storage.counts(attempt));

/** A saved card is charged at the gateway that saved it. */
const chargerOf = (
  storage: PurchaseStorage,
  { nonce, gateway }: Pick<Purchase, 'nonce' | 'gateway'>,
): GatewayName => (nonce ? gateway : (storage.attemptInSlot('main')?.gateway ?? gateway));

function eligibilityRefusal(
  storage: PurchaseStorage,
  plan: Plan,
  { nonce, gateway, unsoldAt, coupon }: Purchase,
  now: number,
): Refused | null {
  const answer = plan.dependsOn && answers[standing(storage, plan.dependsOn, now)].extra;
  if (answer) return refused(answer);
  if (plan.slot === 'main' && !nonce) return refused('nonce_missing');
  const charger = chargerOf(storage, { nonce, gateway });
  if (unsoldAt?.includes(charger)) return refused('method_not_offered');
  const isTyped =
    coupon !== null && !(coupon.kind === 'discount' && coupon.code === plan.coupon?.code);
  if (plan.introDays !== 0 && (hadIntro(storage) || paysInFull(storage)))
    return refused('intro_used');
  if (!isTyped) return null;
  if (paysInFull(storage)) return refused('full_price_only');
  const isUsed = storage
    .attempts()
    .some(
      (one) =>
        one.state === 'active' &&
        coupon.kind === 'discount' &&
        one.coupon !== null &&
        couponOfCode(one.coupon) === couponOfCode(coupon.code) &&
        storage.counts(one.id),
    );
  return isUsed ? refused('coupon_used') : null;
}

export function evaluatePurchase(
  storage: PurchaseStorage,
  purchase: Purchase,
  now: number,
  changes: Pick<ChangeStorage, 'cardAttempts'>,
): Decision {
  if (storage.profile?.isDeleted) return refused('unauthorized');
  const plan = purchase.soldPlan ?? builtInCatalog.planById(purchase.plan);
  if (!plan) return refused('plan_unknown');
  const requested = { ...purchase, plan };
  const current = storage.attemptInSlot(plan.slot);
  const { same, other } = answers[standing(storage, plan.slot, now)];
  if (same !== null && same !== 'retry') return refused(same);
  const isLeft = current?.plan.id === plan.id && leavesBank(current, purchase);
  if (current && isLeft && !canBeReplaced(current)) return { kind: 'leave', attempt: current };
  if (current && same && !isLeft && isRetry(current, requested))
    return { kind: 'retry', attempt: current };
  if (current && other && !canBeReplaced(current)) return refused(other);
  if (purchase.paymentId) {
    // A webhook may have reported a refusal before the payer returns from the bank.
    const isRequested = ({ paymentId }: Attempt) => paymentId === purchase.paymentId;
    const ended = storage.attempts().find((one) => isRequested(one) && isRetry(one, requested));
    return ended ? { kind: 'retry', attempt: ended } : refused('payment_intent_mismatch');
  }
  if (purchase.isSuspended) return refused('account_suspended');
  const ineligible = eligibilityRefusal(storage, plan, purchase, now);
  if (ineligible) return ineligible;
  const running = runningCurrency(storage.subscriptions(), now);
  if (running ? plan.currency !== running : purchase.isForeign) return refused('plan_not_offered');
  const { coupon, terms } = purchase;
  if (coupon?.kind === 'refused') return coupon;
  if (terms?.kind === 'refused') return terms;
  if (tooManyCardAttempts(changes.cardAttempts(), now)) return refused('too_many_declines');
  const accepted = { ...purchase, coupon, terms: terms?.terms ?? null };
  const replaces = current && isFinal(current.state) ? undefined : current;
  return { kind: 'create', plan, purchase: accepted, replaces };
}

export function createAttempt(
  storage: PurchaseStorage,
  { plan, purchase, replaces }: NewPurchase,
  ids: Pick<Attempt, 'id' | 'pollingId'>,
  now: number,
): void {
  const { account, email, isVerified, nonce, siteOrigin, signedUpAt } = purchase;
  const known = { customers: {}, isUnproven: !isVerified, ...storage.profile };
  const signedUp = signedUpAt === undefined ? {} : { signedUpAt };
  storage.setProfile({ ...known, account, email, siteOrigin, ...signedUp });
  const charger = chargerOf(storage, purchase);
  if (replaces) storage.save(markFailed(replaces));
  const saved = storage.profile?.customers[charger];
  const bank = (nonce ? purchase.bank : saved?.isDebit && 'sepa_debit') || null;
  const wallet = (nonce ? purchase.wallet : saved?.wallet) ?? null;
  const isAccepted = isRedirectWallet(wallet) || (nonce && bank);
  const acceptance = isAccepted ? purchase.acceptance : null;
  const buyer = { ...purchase, gateway: charger, bank, wallet, acceptance };
  storage.save({ ...newAttempt(plan, buyer, ids, now), epoch: purchase.epoch });
  storage.setAdClickData(ids.id, purchase.adClickData);
  storage.setSegment(ids.id, purchase.slice);
}

/** @param pollingId new for another session: one that has ended must not read the result of its attempt */
export function retryAttempt(
  storage: PurchaseStorage,
  found: Attempt,
  purchase: Purchase,
  pollingId: string,
): { kind: 'retried'; pollingId: string; isResumed: boolean } | Refused {
  const { paymentId, nonce, epoch, adClickData } = purchase;
  if (paymentId && found.paymentId !== paymentId) return refused('payment_intent_mismatch');
  const before = found.epoch === epoch ? found : { ...found, epoch, pollingId };
  if (before !== found) storage.save(before);
  if (!isFinal(before.state)) storage.setAdClickData(before.id, adClickData);
  const now = Date.now();
  const resumed = resumeAfterChallenge(resumeRerouted(before, purchase, now), nonce, now);
  if (resumed !== before) storage.save(resumed);
  return { kind: 'retried', pollingId: before.pollingId, isResumed: resumed !== before };
}
