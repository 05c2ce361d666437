import { DurableObject } from 'cloudflare:workers';
import type { PlanId, Slot } from '../catalog/rules/plans.ts';
import type { Env } from '../platform/env.ts';
import type { Refused } from '../platform/errors.ts';
import type { AccountId, AttemptId, Minor, PaymentId } from '../platform/types.ts';
import { resumeChallenged } from './attempts/advance-attempt.ts';
import { Checkout, type PurchaseResponse } from './attempts/checkout.ts';
import { CouponRedemptions } from './attempts/coupon-redemptions.ts';
import type { Purchase } from './attempts/purchase-request.ts';
import { DueWork } from './due-work.ts';
import { CardAttemptCounter, type FailedPayment } from './fraud/card-attempt-counter.ts';
import { ReservedId } from './fraud/reserved-id.ts';
import { AccountCopy } from './ledger/account-copy.ts';
import { listBuyer } from './ledger/buyer-index.ts';
import { needsCard } from './notices/card-notices.ts';
import { isFinal } from './purchase/attempt.ts';
import type { InvitationRight } from './purchase/invitation-right.ts';
import type { SentNotice } from './purchase/required-notice.ts';
import { runningCurrency } from './purchase/running-currency.ts';
import type { Attempt, Subscription } from './purchase/state.ts';
import { accessUntil } from './purchase/subscription.ts';
import { EntitlementRecord } from './storage/entitlement-record.ts';
import { PurchaseStorage } from './storage/purchase-storage.ts';
import { type AttemptAnswer, type StoredChange, sentAttempt } from './storage/stored-records.ts';
import {
  endExtras,
  listOwned,
  queueConfirmationEmail,
  resumeSubscription,
  type ShownEnd,
  type UnconfirmedRenewal,
} from './subscriptions/cancel-resume.ts';
import { type CardRequest, CardUpdates } from './subscriptions/card-updates.ts';
import { type CardView, cardView } from './subscriptions/card-view.ts';
import type { QuoteResult, RequestedChange } from './subscriptions/change-quotes.ts';
import { ChangeStorage } from './subscriptions/change-storage.ts';
import { InvitationRights } from './subscriptions/invitation-rights.ts';
import { type OwnedSubscription, sentPurchase } from './subscriptions/owned-subscription.ts';
import type { RaiseCommand, RaiseRow } from './subscriptions/price-raises.ts';
import {
  type ProductNotice,
  type ProductOrder,
  ProductPlan,
  type ProductUser,
} from './subscriptions/product-plan.ts';
import { withdrawPurchase } from './subscriptions/refunds.ts';
import { SubscriptionJobs } from './subscriptions/subscription-jobs.ts';

const crashRetryMs = 1000;

/** One account's purchases: its slots, attempts and ledger. Only this object writes money movements. */
export class Purchases extends DurableObject<Env> {
  readonly #kv = this.ctx.storage.kv;
  readonly #wake = (): Promise<void> => this.ctx.storage.setAlarm(Date.now());
  readonly #storage = new PurchaseStorage(this.#kv);
  readonly #changes = new ChangeStorage(this.#kv, this.#storage);
  readonly #jobs = new SubscriptionJobs(this.#storage, this.#changes, this.env);
  readonly #entitlements = new EntitlementRecord(this.#kv, this.#storage);
  readonly #copy = new AccountCopy(this.#storage, this.#changes, this.#entitlements);
  readonly #product = new ProductPlan(this.#kv);
  readonly #invitationRights = new InvitationRights(this.#kv, this.#storage, this.#product);
  readonly #cardAttempts = new CardAttemptCounter(this.#kv, this.env);
  readonly #cards = new CardUpdates(this.#kv, this.#storage, this.env, this.#wake);
  readonly #redemptions = new CouponRedemptions(this.#kv, this.env);
  readonly #nextId = new ReservedId();
  readonly #checkout = new Checkout({
    storage: this.#storage,
    changes: this.#changes,
    cardAttempts: this.#cardAttempts,
    redemptions: this.#redemptions,
    nextId: this.#nextId,
    objectId: String(this.ctx.id),
    wake: this.#wake,
  });
  readonly #work = new DueWork({
    kv: this.#kv,
    storage: this.#storage,
    cardAttempts: this.#cardAttempts,
    cards: this.#cards,
    jobs: this.#jobs,
    entitlements: this.#entitlements,
    invitationRights: this.#invitationRights,
    redemptions: this.#redemptions,
    nextId: this.#nextId,
  });

  hasActiveMainPlan(): boolean {
    return this.#product.until > Date.now() || Boolean(this.#storage.subscriptionInSlot('main'));
  }

  everPaid(): boolean {
    const isPaid = ({ state }: Attempt) => state === 'active' || !isFinal(state);
    return this.#product.everPaid || this.#storage.attempts().some(isPaid);
  }

  activePlan(slot: Slot): PlanId | null {
    const subscription = this.#storage.subscriptionInSlot(slot);
    return subscription && accessUntil(subscription) > Date.now() ? subscription.plan.id : null;
  }

  /** Asked at the moment of each action of an invitation. */
  async invitationRight(): Promise<InvitationRight> {
    const { hasEnded, ...right } = this.#invitationRights.update(Date.now());
    if (hasEnded) await this.#wake();
    return right;
  }

  linkProductUser(linked: ProductUser): void {
    this.#product.link(linked);
  }

  productUser(): ProductPlan['exported'] {
    return this.#product.exported;
  }

  startProductOrder(tokenHash: string, order: ProductOrder): void {
    this.#product.order(tokenHash, order);
  }

  async finishProductOrder(pollingId: string, isPaid: boolean): Promise<void> {
    this.#product.finish(pollingId, isPaid, Date.now());
    await this.#wake();
  }

  async takeProductNotice(account: AccountId, notice: ProductNotice): Promise<boolean> {
    const isTaken = this.#product.notice(account, notice);
    await this.#wake();
    return isTaken;
  }

  runningCurrency() {
    return runningCurrency(this.#storage.subscriptions(), Date.now());
  }

  async entitlements() {
    const { entitlements, isNew } = this.#entitlements.update(Date.now());
    if (isNew) await this.#wake();
    return entitlements;
  }

  /** @param isElsewhere whether another browser than the account's proved it */
  async proveMailbox(isElsewhere: boolean): Promise<void> {
    this.#storage.proveMailbox(isElsewhere);
    await this.#wake();
  }

  buy(purchase: Purchase): Promise<PurchaseResponse> {
    return this.#checkout.buy(purchase, this.env);
  }

  ownedSubscriptions(): OwnedSubscription[] {
    return listOwned(this.#storage, this.#changes.pending()).map(sentPurchase);
  }

  /**
   * Also looks up pending attempts.
   * @param failed payments of which an event of the gateway reports a failure
   * @returns false when a gateway does not respond
   */
  async sync(
    unconfirmed: readonly UnconfirmedRenewal[] = [],
    failed: readonly FailedPayment[] = [],
  ): Promise<boolean> {
    await this.#cardAttempts.countFailures(failed, this.#storage.attempts(), Date.now());
    resumeChallenged(this.#storage);
    const isComplete = await this.#jobs.sync();
    if (isComplete) for (const one of unconfirmed) queueConfirmationEmail(this.#storage, one);
    await this.#wake();
    return isComplete;
  }

  needsCard(attempt: AttemptId, why: Parameters<typeof needsCard>[1]): boolean {
    return needsCard(this.#storage.subscription(attempt), why);
  }

  async compare() {
    await listBuyer(this.#kv, this.#storage, this.env);
    return this.#jobs.compare();
  }

  copiedRows(): ReturnType<AccountCopy['rows']> {
    return this.#copy.rows();
  }

  /** @returns the number of rows */
  async rebuildCopy(): Promise<number> {
    await listBuyer(this.#kv, this.#storage, this.env);
    return this.#copy.rebuild(this.env);
  }

  async cancelSubscription(attempt: AttemptId): Promise<OwnedSubscription | undefined> {
    return this.#change(() => this.#jobs.end(attempt));
  }

  /** @param shown what the page showed, where the law lets a renewed period be ended */
  async endEarly(attempt: AttemptId, shown: ShownEnd): Promise<Refused | null> {
    const result = this.#jobs.endEarly(attempt, shown);
    if ('kind' in result) return result;
    await this.#change(() => result);
    return null;
  }

  quoteChange(attempt: AttemptId, request: RequestedChange): Promise<QuoteResult> {
    return this.#jobs.quoteChange(attempt, request);
  }

  async confirmChange(attempt: AttemptId, change: string, nonce: string | null = null) {
    const result = this.#jobs.confirmChange(attempt, change, nonce);
    if (result.kind === 'accepted') await this.#wake();
    return result;
  }

  /** Lists the subscriptions of a product whose price an operator raises, and announces it if the command says so. */
  async raisePrices(command: RaiseCommand): Promise<RaiseRow[]> {
    const rows = await this.#jobs.raisePrices(command);
    if (command.isStart) await this.#wake();
    return rows;
  }

  async noticed(notice: SentNotice): Promise<void> {
    await this.#jobs.noticed(notice);
    await this.#wake();
  }

  planChange(id: string): StoredChange | undefined {
    return this.#changes.stored(id);
  }

  async resumeSubscription(attempt: AttemptId) {
    const result = resumeSubscription(this.#storage, attempt);
    if (result.kind === 'resumed') await this.#change(() => this.#storage.subscription(attempt));
    return result;
  }

  /** Also withdraws from the extras of a plan; an extra whose own withdrawal period is over ends. */
  async withdraw(attempt: AttemptId): Promise<OwnedSubscription | undefined> {
    return this.#change(() => withdrawPurchase(this.#storage, attempt));
  }

  async claim(attempts: readonly AttemptId[]): Promise<void> {
    const end = (id: AttemptId) => withdrawPurchase(this.#storage, id, true) ?? this.#jobs.end(id);
    await this.#change(() => attempts.map(end).at(-1));
  }

  /** Ends all renewals and forgets the e-mail. @param refusalOf checks whether the session is still valid */
  async deleteAccount(refusalOf: () => Promise<Refused | null>) {
    const refusal = (await refusalOf()) ?? this.#jobs.endAll();
    if (refusal) return refusal;
    this.#cards.forget();
    this.#product.forget();
    await this.#wake();
    return { kind: 'deleted', subscriptions: this.ownedSubscriptions() } as const;
  }

  card(): Promise<CardView | null> {
    return cardView(this.#kv, this.#storage, this.env);
  }

  updateCard(request: CardRequest): ReturnType<CardUpdates['request']> {
    return this.#cards.request(request, this.#cardAttempts);
  }

  cardUpdate(key: string) {
    return this.#cards.byKey(key);
  }

  async #change(change: () => Subscription | undefined): Promise<OwnedSubscription | undefined> {
    const changed = this.ctx.storage.transactionSync(() => {
      const subscription = change();
      endExtras(this.#storage);
      return subscription;
    });
    await this.#wake();
    this.#invitationRights.update(Date.now());
    await this.#invitationRights.endInvitations(this.env);
    const owned = this.ownedSubscriptions();
    return owned.find(({ subscription }) => subscription.attempt === changed?.attempt);
  }

  async refund(paymentId: PaymentId, amount: Minor | null, key: string) {
    return this.#jobs.refund({ paymentId, amount, key }).finally(this.#wake);
  }

  result(pollingId: string): AttemptAnswer | undefined {
    const attempt = this.#storage.attemptByPollingId(pollingId);
    return attempt && sentAttempt(attempt);
  }

  /**
   * Never throws: it sets the next alarm before the work, because the platform gives up after a few retries of its
   * own, and the attempt would then be stuck. It deletes the alarm when nothing is left.
   */
  override async alarm(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + crashRetryMs);
    await this.#work.run(this.env);
    // No await in between: a purchase would lose the alarm that it set.
    const dueAt = this.#work.dueAt();
    await (dueAt ? this.ctx.storage.setAlarm(dueAt) : this.ctx.storage.deleteAlarm());
  }
}
