import { minuteMs } from '../../platform/durations.ts';
import type { Env } from '../../platform/env.ts';
import { type Refused, refused } from '../../platform/errors.ts';
import type { AttemptId } from '../../platform/types.ts';
import {
  chargeRequestOf,
  logAmbiguousResponse,
  syncSubscription,
} from '../attempts/gateway-call.ts';
import { gatewayOf } from '../gateways/index.ts';
import { type Reconciliation, reconcile } from '../ledger/reconciliation.ts';
import { reminderOf } from '../notices/subscription-notices.ts';
import { isOpen } from '../purchase/price-raise.ts';
import type { SentNotice } from '../purchase/required-notice.ts';
import type { Subscription } from '../purchase/state.ts';
import { clearReminder, isEndedEarly, scheduleSync } from '../purchase/subscription.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';
import { advanceChange } from './advance-change.ts';
import { endEarly, endSubscription, type ShownEnd } from './cancel-resume.ts';
import { checkCardExpiry } from './card-expiry.ts';
import {
  type ConfirmResult,
  confirmQuote,
  openOwnChange,
  type QuoteResult,
  quoteChange,
  type RequestedChange,
  type Stores,
} from './change-quotes.ts';
import type { ChangeStorage } from './change-storage.ts';
import { forgetAccount } from './forget-account.ts';
import type { RaiseCommand, RaiseRow } from './price-raises.ts';
import { type RefundCommand, type RefundResult, refundOwed, refundPayment } from './refunds.ts';

const retryDelayMs = 5 * minuteMs;

const loadNotices = () => import('./required-notices.ts');
const loadRaises = () => import('./price-raises.ts');

/** The work at the gateways for an account's subscriptions, one job at a time. */
export class SubscriptionJobs {
  readonly #storage: PurchaseStorage;
  readonly #stores: Stores;
  readonly #env: Env;
  #queue: Promise<unknown> = Promise.resolve();
  #waitingSync: Promise<boolean> | null = null;

  constructor(storage: PurchaseStorage, changes: ChangeStorage, env: Env) {
    this.#storage = storage;
    this.#stores = { storage, changes };
    this.#env = env;
  }

  /** Order and number of webhooks do not matter. @returns false when a gateway did not answer */
  sync(): Promise<boolean> {
    // In a burst of webhooks, those that arrive while a sync waits are served by that sync.
    this.#waitingSync ??= this.#serialized(async () => {
      this.#waitingSync = null;
      let isComplete = true;
      for (const subscription of this.#storage.subscriptions()) {
        await syncSubscription(subscription, this.#storage, this.#env).catch((error) => {
          logAmbiguousResponse(error, {
            vendor: subscription.gateway,
            attempt: subscription.attempt,
          });
          isComplete = false;
        });
      }
      return isComplete;
    });
    return this.#waitingSync;
  }

  quoteChange(attempt: AttemptId, request: RequestedChange): Promise<QuoteResult> {
    return quoteChange(this.#stores, this.#env, attempt, request);
  }

  confirmChange(attempt: AttemptId, change: string, nonce: string | null): ConfirmResult {
    return confirmQuote(this.#stores, attempt, change, nonce);
  }

  async raisePrices(command: RaiseCommand): Promise<RaiseRow[]> {
    return (await loadRaises()).raisePrices(this.#stores, command);
  }

  async noticed(notice: SentNotice): Promise<void> {
    (await loadRaises()).recordPriceNotice(this.#storage, notice);
    (await loadNotices()).recordNotice(this.#stores, notice);
  }

  compare(): Promise<Reconciliation> {
    return this.#serialized(() => reconcile(this.#storage, this.#env));
  }

  /** Runs due jobs; a gateway that does not respond is called again later. Never throws. */
  async runDue(): Promise<void> {
    this.#sendReminders();
    if (this.#storage.subscriptions().some(({ noticeMail }) => noticeMail))
      await (await loadNotices()).checkNotices(this.#stores, this.#env);
    const isRaised = this.#storage.subscriptions().some(({ raise }) => isOpen(raise));
    const raises = isRaised ? await loadRaises() : null;
    await raises?.advanceRaises(this.#stores, this.#env);
    for (const { id, attempt } of this.#stores.changes.pending()) {
      await this.#serialized(() => advanceChange(this.#stores, this.#env, id));
      // Reading it has postponed the refund, which may now include the charge of the change.
      if (this.#storage.subscription(attempt)?.withdrawnAt) this.#scheduleSync(attempt, Date.now());
    }
    raises?.retryRaises(this.#stores);
    for (const { attempt, dueAt } of this.#confirmed()) {
      if (dueAt === null || dueAt > Date.now()) continue;
      await this.#serialized(() => this.#advance(attempt)).catch((error) => {
        logAmbiguousResponse(error, { attempt });
        this.#scheduleSync(attempt, Date.now() + retryDelayMs);
      });
    }
    await checkCardExpiry(this.#storage, this.#env);
  }

  #scheduleSync(id: AttemptId, at: number): void {
    const found = this.#storage.subscription(id);
    if (found) this.#storage.saveSubscription(scheduleSync(found, at));
  }

  /** Requests for a provisional subscription wait until its debit is known. */
  #confirmed() {
    return this.#storage.subscriptions().filter(({ isProvisional }) => !isProvisional);
  }

  dueAt(): number | null {
    const subscriptions = this.#confirmed();
    const times = subscriptions.flatMap(({ dueAt, remindAt, noticeMail, raise }) => [
      dueAt,
      remindAt,
      noticeMail?.checkAt,
      raise?.dueAt,
    ]);
    const due = [...times, this.#storage.profile?.cardCheckAt].flatMap((at) => at ?? []);
    due.push(...this.#stores.changes.pending().map(({ dueAt }) => dueAt));
    return due.length > 0 ? Math.min(...due) : null;
  }

  end(attempt: AttemptId): Subscription | undefined {
    const pending = this.#stores.changes.pendingOf(attempt);
    return endSubscription(this.#storage, attempt, { pending });
  }

  endEarly(attempt: AttemptId, shown: ShownEnd): Subscription | Refused {
    if (this.#stores.changes.pendingOf(attempt)) return refused('change_in_progress');
    return endEarly(this.#storage, attempt, shown);
  }

  /** Sends no e-mail. Refused while a payment is pending. */
  endAll(): Refused | null {
    const { length } = [...this.#storage.pendingAttempts(), ...this.#stores.changes.pending()];
    if (length > 0) return refused('purchase_pending');
    for (const { attempt } of this.#storage.subscriptions())
      endSubscription(this.#storage, attempt, { receipt: false });
    forgetAccount(this.#storage, this.#env);
    return null;
  }

  #sendReminders(): void {
    const now = Date.now();
    for (const subscription of this.#storage.subscriptions()) {
      const attempt = this.#storage.attempt(subscription.attempt);
      if (!attempt || !subscription.remindAt || subscription.remindAt > now) continue;
      const notice = reminderOf(attempt, subscription, now);
      this.#storage.saveSubscription(clearReminder(subscription, notice !== null));
      if (notice) this.#storage.notify(attempt.id, notice);
    }
  }

  refund(request: RefundCommand): Promise<RefundResult | Refused<'gateway_ambiguous'>> {
    const work = this.#serialized(() => refundPayment(request, this.#storage, this.#env));
    return work.catch((error) => {
      logAmbiguousResponse(error);
      return refused('gateway_ambiguous');
    });
  }

  async #advance(id: AttemptId): Promise<void> {
    const attempt = this.#storage.attempt(id);
    const { profile } = this.#storage;
    const late = this.#storage.subscription(id);
    // Before a cancellation, after which Stripe would end it with the period that is being replaced.
    if (late?.isRestartDue) {
      const { id: change } = openOwnChange(this.#stores, late, 'restart');
      await advanceChange(this.#stores, this.#env, change);
    }
    const found = this.#storage.subscription(id);
    if (!found || !attempt || !profile) return;
    const { cancelRequestedAt, resumedAt, ends } = found;
    const gateway = await gatewayOf(found.gateway, this.#env);
    const request = chargeRequestOf(this.#storage, attempt, profile);
    const isOver = found.status !== 'ended' && isEndedEarly(found, Date.now());
    if (isOver || (cancelRequestedAt !== null && !ends))
      await gateway.cancel(request, cancelRequestedAt ?? 0);
    else if (resumedAt && gateway.resume) await gateway.resume(request, resumedAt);
    else if (resumedAt) {
      const { id: change } = openOwnChange(this.#stores, found, 'continue');
      await advanceChange(this.#stores, this.#env, change);
    }
    await syncSubscription(this.#storage.subscription(id) ?? found, this.#storage, this.#env);
    await refundOwed(id, this.#storage, this.#env);
  }

  #serialized<T>(job: () => Promise<T>): Promise<T> {
    const mine = this.#queue.then(job, job);
    this.#queue = mine.catch(() => {}); // Its caller gets the error; the next job runs anyway.
    return mine;
  }
}
