import { DurableObject } from 'cloudflare:workers';
import type { PlanId, Slot } from '../catalog/plans.ts';
import type { Env } from '../env.ts';
import { type ErrorCode, type Refused, refused } from '../errors.ts';
import { randomHex } from '../http/hmac.ts';
import { reportToMonitor } from '../log-counts.ts';
import type { AttemptId, Minor, PaymentId } from '../types.ts';
import { advanceAttempt } from './advance-attempt.ts';
import {
  endExtras,
  endSubscription,
  listOwned,
  type OwnedSubscription,
  queueConfirmationEmail,
  type ResumeResult,
  resumeSubscription,
  type UnconfirmedRenewal,
} from './cancel-resume.ts';
import { CouponRedemptions } from './coupon-redemptions.ts';
import { forgetAtGateways } from './forget-account.ts';
import { CardAttemptCounter, counterNamesOf } from './fraud/card-attempt-counter.ts';
import { logAmbiguousResponse } from './gateway-call.ts';
import { releaseUnusedIntros } from './intro-limit.ts';
import { flushOutbox } from './outbox.ts';
import { evaluatePurchase, type NewPurchase, type Purchase } from './purchase-request.ts';
import { PurchaseStorage } from './purchase-storage.ts';
import { endReturnedInvitations, type RefundResult, withdrawPurchase } from './refunds.ts';
import {
  type Attempt,
  applyWebhook,
  isFinal,
  markFailed,
  resumeAfterChallenge,
} from './rules/attempt.ts';
import { newAttempt } from './rules/new-attempt.ts';
import { accessUntil, type Subscription } from './rules/subscription.ts';
import { SubscriptionJobs } from './subscription-jobs.ts';

export type PurchaseResponse = { kind: 'accepted'; pollingId: string } | Refused;

/** How soon the alarm handler runs again after a crash. */
const crashRetryMs = 1000;
const projectionRetryMs = 30_000;

const newAttemptId = () => crypto.randomUUID() as string as AttemptId;

/** One account's purchases: its slots, attempts and ledger. The only writer of money. */
export class Purchases extends DurableObject<Env> {
  readonly #ledger = new PurchaseStorage(this.ctx.storage.kv);
  readonly #jobs = new SubscriptionJobs(this.#ledger, this.env);
  readonly #cardAttempts = new CardAttemptCounter(this.ctx.storage.kv, this.env);
  readonly #redemptions = new CouponRedemptions(this.ctx.storage.kv, this.env);
  /** Id reserved for the next attempt, so concurrent calls count as one card attempt. */
  #nextAttemptId = newAttemptId();

  hasActiveMainPlan(): boolean {
    return this.#ledger.attemptInSlot('main')?.state === 'active';
  }

  everPaid(): boolean {
    return this.#ledger.attempts().some(({ state }) => state === 'active' || !isFinal(state));
  }

  activePlan(slot: Slot): PlanId | null {
    const subscription = this.#ledger.subscriptionInSlot(slot);
    return subscription && accessUntil(subscription) > Date.now() ? subscription.plan : null;
  }

  /** The same plan in an occupied slot returns the same polling id; another plan is refused. */
  async buy(purchase: Purchase): Promise<PurchaseResponse> {
    for (let counted = ''; ; ) {
      // Evaluated again after each wait, because another call may have changed the slot meanwhile.
      const decision = evaluatePurchase(this.#ledger, purchase, Date.now());
      if (decision.kind === 'refused') return decision;
      if (decision.kind === 'retry') return this.#retry(decision.attempt, purchase);
      const { coupon } = decision.purchase;
      const names = counterNamesOf(purchase);
      const isLimited = names.length > 0 || coupon?.limit;
      if (!isLimited || counted === this.#nextAttemptId) return this.#createAttempt(decision);
      counted = this.#nextAttemptId;
      const cardRefusal = names.length > 0 ? await this.#cardAttempts.count(counted, names) : null;
      const refusal = cardRefusal ?? (await this.#redemptions.redeem(counted, coupon));
      if (refusal) return refused(refusal);
    }
  }

  ownedSubscriptions(): OwnedSubscription[] {
    return listOwned(this.#ledger);
  }

  /** Also looks pending attempts up. @returns false when a gateway does not answer */
  async sync(unconfirmed: readonly UnconfirmedRenewal[] = []): Promise<boolean> {
    const now = Date.now();
    for (const before of this.#ledger.pendingAttempts()) {
      this.#saveIfChanged(applyWebhook(resumeAfterChallenge(before, null, now), now), before);
    }
    const isComplete = await this.#jobs.sync();
    if (isComplete) for (const one of unconfirmed) queueConfirmationEmail(this.#ledger, one);
    await this.ctx.storage.setAlarm(Date.now());
    return isComplete;
  }

  compare(): ReturnType<SubscriptionJobs['compare']> {
    return this.#jobs.compare();
  }

  async cancelSubscription(attempt: string): Promise<OwnedSubscription | undefined> {
    return this.#change(() => endSubscription(this.#ledger, attempt));
  }

  async resumeSubscription(attempt: string): Promise<ResumeResult> {
    const result = resumeSubscription(this.#ledger, attempt);
    if (result.kind === 'resumed') await this.#change(() => result.subscription);
    return result;
  }

  /** Also from the extras of a plan; one whose own withdrawal period is over ends. */
  async withdraw(attempt: string): Promise<OwnedSubscription | undefined> {
    return this.#change(() => withdrawPurchase(this.#ledger, attempt));
  }

  async claim(attempts: readonly string[]): Promise<void> {
    const claimOne = (attempt: string) =>
      withdrawPurchase(this.#ledger, attempt, true) ?? endSubscription(this.#ledger, attempt);
    await this.#change(() => attempts.map(claimOne).at(-1));
  }

  /** Ends all renewals and forgets the e-mail. @param refusalOf asks whether the session still may */
  async deleteAccount(
    refusalOf: () => Promise<ErrorCode | null>,
  ): Promise<Refused | { kind: 'deleted'; subscriptions: OwnedSubscription[] }> {
    const refusal = (await refusalOf()) ?? this.#jobs.endAll();
    if (refusal) return refused(refusal);
    await this.ctx.storage.setAlarm(Date.now());
    return { kind: 'deleted', subscriptions: this.ownedSubscriptions() };
  }

  async #change(change: () => Subscription | undefined): Promise<OwnedSubscription | undefined> {
    const changed = this.ctx.storage.transactionSync(() => {
      const subscription = change();
      endExtras(this.#ledger);
      return subscription;
    });
    await this.ctx.storage.setAlarm(Date.now());
    await endReturnedInvitations(this.#ledger, this.env);
    const isChanged = ({ subscription }: OwnedSubscription) =>
      subscription.attempt === changed?.attempt;
    return this.ownedSubscriptions().find(isChanged);
  }

  async refund(
    paymentId: PaymentId,
    amount: Minor | null,
    key: string,
  ): Promise<RefundResult | Refused<'gateway_ambiguous'>> {
    const result = await this.#jobs.refund({ paymentId, amount, key }).catch((error) => {
      logAmbiguousResponse(error);
      return refused('gateway_ambiguous');
    });
    await this.ctx.storage.setAlarm(Date.now());
    return result;
  }

  async #createAttempt({ plan, purchase, replaces }: NewPurchase): Promise<PurchaseResponse> {
    const { account, email, nonce, gateway, siteOrigin } = purchase;
    const now = Date.now();
    this.#ledger.setProfile({ customers: {}, ...this.#ledger.profile, account, email, siteOrigin });
    // A saved card is charged at the gateway that saved it.
    const charger = nonce ? gateway : (this.#ledger.attemptInSlot('main')?.gateway ?? gateway);
    const ids = { id: this.#nextAttemptId, pollingId: `${this.ctx.id}.${randomHex()}` };
    this.#nextAttemptId = newAttemptId();
    if (counterNamesOf(purchase).length > 0) this.#cardAttempts.markCounted(ids.id);
    if (replaces) this.#ledger.save(markFailed(replaces));
    const buyer = { ...purchase, gateway: charger };
    const attempt = { ...newAttempt(plan, buyer, ids, now), epoch: purchase.epoch };
    this.#ledger.save(attempt);
    this.#ledger.setAdClickData(attempt.id, purchase.adClickData);
    this.#ledger.setSlice(attempt.id, purchase.slice);
    await this.ctx.storage.setAlarm(now);
    return { kind: 'accepted', pollingId: attempt.pollingId };
  }

  async #retry(found: Attempt, purchase: Purchase): Promise<PurchaseResponse> {
    const { paymentId, nonce, epoch, adClickData } = purchase;
    if (paymentId && found.paymentId !== paymentId) return refused('payment_intent_mismatch');
    // A session that has ended must not read the result of an attempt that it created.
    const renamed = { ...found, epoch, pollingId: `${this.ctx.id}.${randomHex()}` };
    const before = found.epoch === epoch ? found : renamed;
    this.#saveIfChanged(before, found);
    if (!isFinal(before.state)) this.#ledger.setAdClickData(before.id, adClickData);
    const resumed = resumeAfterChallenge(before, nonce, Date.now());
    if (this.#saveIfChanged(resumed, before)) await this.ctx.storage.setAlarm(Date.now());
    return { kind: 'accepted', pollingId: before.pollingId };
  }

  #saveIfChanged(attempt: Attempt, before: Attempt): boolean {
    if (attempt === before) return false;
    this.#ledger.save(attempt);
    return true;
  }

  result(pollingId: string): Attempt | undefined {
    return this.#ledger.attemptByPollingId(pollingId);
  }

  /**
   * Never throws: it sets the next alarm before the work and deletes it when nothing is left, because
   * the platform gives up after a few retries of its own, and the attempt would then be stuck.
   */
  override async alarm(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + crashRetryMs);
    const ledger = this.#ledger;
    const invitationsEnded = await endReturnedInvitations(ledger, this.env);
    for (const { id } of ledger.pendingAttempts()) await advanceAttempt(id, ledger, this.env);
    await this.#jobs.runDue();
    const eraseAt = await forgetAtGateways(ledger, this.env);
    const delivered = await flushOutbox(ledger, this.env);
    const attemptOf = (id: string) => ledger.attempt(id);
    await this.#cardAttempts.reportResults(attemptOf);
    const redemptionsAt = await this.#redemptions.releaseUnused(attemptOf, this.#nextAttemptId);
    const released = await releaseUnusedIntros(ledger, this.env);
    await reportToMonitor(this.env, true);
    // Nothing is awaited from here on: a purchase that came in between would lose the alarm that it set.
    const due = ledger.pendingAttempts().map(({ dueAt }) => dueAt);
    if (!delivered || !released || !invitationsEnded) due.push(Date.now() + projectionRetryMs);
    // Entries queued during the work are due at once: they may have set the alarm that is replaced here.
    else if (ledger.outbox().length > 0) due.push(Date.now());
    if (ledger.profile?.gatewaysToErase?.length) due.push(eraseAt ?? Date.now());
    due.push(...[this.#jobs.dueAt(), redemptionsAt].flatMap((at) => at ?? []));
    if (due.length > 0) await this.ctx.storage.setAlarm(Math.min(...due));
    else await this.ctx.storage.deleteAlarm();
  }
}
