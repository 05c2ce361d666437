import type { Env } from '../env.ts';
import { type Refused, refused } from '../errors.ts';
import { logger } from '../log.ts';
import type { Minor, PaymentId } from '../types.ts';
import { forgetAccount } from './forget-account.ts';
import { chargeRequestOf, logAmbiguousResponse } from './gateway-call.ts';
import { gatewayOf } from './gateways/index.ts';
import type { PurchaseStorage } from './purchase-storage.ts';
import { type Reconciliation, reconcile } from './reconciliation.ts';
import { reminderOf } from './rules/email-notices.ts';
import { balance, movementOf, reversalRows } from './rules/money-movements.ts';
import {
  applyStatement,
  clearReminder,
  type Subscription,
  scheduleSync,
} from './rules/subscription.ts';
import { endExtras, endSubscription } from './subscription-changes.ts';

const log = logger();
const retryDelayMs = 5 * 60_000;
const refusedRetryDelayMs = 60 * 60_000;

export type RefundResult =
  | { kind: 'refunded'; amount: Minor }
  | Refused<'refund_too_large' | 'payment_unknown'>
  | (Refused<'refund_refused'> & { reason: string });

/** An account's subscriptions: renewals, cancellations and refunds, one gateway call after another. */
export class Subscriptions {
  readonly #ledger: PurchaseStorage;
  readonly #env: Env;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(ledger: PurchaseStorage, env: Env) {
    this.#ledger = ledger;
    this.#env = env;
  }

  /** Order and number of webhooks do not matter. @returns false when a gateway did not answer */
  sync(): Promise<boolean> {
    return this.#serialized(async () => {
      let isComplete = true;
      for (const subscription of this.#ledger.subscriptions()) {
        await this.#syncOne(subscription).catch((error) => {
          logAmbiguousResponse(error, {
            vendor: subscription.gateway,
            attempt: subscription.attempt,
          });
          isComplete = false;
        });
      }
      return isComplete;
    });
  }

  compare(): Promise<Reconciliation> {
    return this.#serialized(() => reconcile(this.#ledger, this.#env));
  }

  /** Runs what is due; a gateway that does not answer is called again later. Never throws. */
  async runDue(): Promise<void> {
    this.#sendReminders();
    for (const { attempt, dueAt } of this.#ledger.subscriptions()) {
      if (dueAt === null || dueAt > Date.now()) continue;
      await this.#serialized(() => this.#advance(attempt)).catch((error) => {
        logAmbiguousResponse(error, { attempt });
        this.#scheduleSync(attempt, Date.now() + retryDelayMs);
      });
    }
  }

  #scheduleSync(id: string, at: number): void {
    const found = this.#ledger.subscription(id);
    if (found) this.#ledger.saveSubscription(scheduleSync(found, at));
  }

  dueAt(): number | null {
    const due = this.#ledger
      .subscriptions()
      .flatMap(({ dueAt, remindAt }) => [dueAt, remindAt].flatMap((at) => at ?? []));
    return due.length > 0 ? Math.min(...due) : null;
  }

  /** Without an e-mail. Refused while a payment is pending. */
  endAll(): 'purchase_pending' | null {
    if (this.#ledger.pendingAttempts().length > 0) return 'purchase_pending';
    for (const { attempt } of this.#ledger.subscriptions())
      endSubscription(this.#ledger, attempt, false);
    forgetAccount(this.#ledger, this.#env);
    return null;
  }

  #sendReminders(): void {
    const now = Date.now();
    for (const subscription of this.#ledger.subscriptions()) {
      const attempt = this.#ledger.attempt(subscription.attempt);
      if (!attempt || !subscription.remindAt || subscription.remindAt > now) continue;
      const notice = reminderOf(attempt, subscription, now);
      this.#ledger.saveSubscription(clearReminder(subscription));
      if (notice) this.#ledger.queue({ kind: 'email', notice: notice });
    }
  }

  /**
   * Refunds a payment, once for a key.
   * @param amount null for all that remains of the payment
   * @throws when the gateway does not answer; the same call may then be repeated
   */
  refund(paymentId: PaymentId, amount: Minor | null, key: string): Promise<RefundResult> {
    return this.#serialized(() => this.#refund(paymentId, amount, key));
  }

  async #refund(paymentId: PaymentId, amount: Minor | null, key: string): Promise<RefundResult> {
    const rows = this.#ledger.rows().filter((row) => row.paymentId === paymentId);
    const capture = rows.find(({ kind }) => kind === 'capture');
    const attempt = capture && this.#ledger.attempt(capture.attempt);
    const subscription = attempt && this.#ledger.subscription(attempt.id);
    const { profile } = this.#ledger;
    if (!attempt || !subscription || !profile) return refused('payment_unknown');
    let requested = this.#ledger.refund(key);
    if (!requested) {
      await this.#syncOne(subscription);
      const remaining = this.#remaining(paymentId);
      requested = { amount: amount ?? remaining, sentAt: null };
      if (requested.amount < 1 || requested.amount > remaining) return refused('refund_too_large');
      this.#ledger.saveRefund(key, requested);
    }
    const { amount: owed, sentAt } = requested;
    const gateway = gatewayOf(attempt.gateway, this.#env);
    const request = chargeRequestOf(this.#ledger, attempt, profile);
    const reply = await gateway.refund(request, paymentId, owed, {
      key,
      sentAt,
      markSent: () => this.#ledger.saveRefund(key, { amount: owed, sentAt: Date.now() }),
    });
    await this.#syncOne(subscription);
    if (reply.kind === 'refused') {
      this.#ledger.deleteRefund(key);
      return { ...refused('refund_refused'), reason: reply.reason };
    }
    return { kind: 'refunded', amount: owed };
  }

  async #refundAll(id: string): Promise<void> {
    for (const { kind, paymentId } of this.#ledger.rowsOf(id)) {
      if (kind !== 'capture' || this.#remaining(paymentId) < 1) continue;
      const result = await this.#refund(paymentId, null, this.#withdrawalKey(paymentId));
      if (result.kind === 'refunded') continue;
      log('error', 'withdrawal_refused', { attempt: id, reason: result.refusal });
      this.#scheduleSync(id, Date.now() + refusedRetryDelayMs);
    }
  }

  /** A refund that failed later needs a new key, because the gateway remembers the answer to the old one. */
  #withdrawalKey(payment: PaymentId): string {
    const failed = this.#ledger
      .rows()
      .filter(
        ({ id, kind, paymentId }) =>
          paymentId === payment && kind === 'refund' && movementOf(id) !== id,
      );
    return ['withdrawal', payment, ...(failed.length > 0 ? [failed.length] : [])].join(':');
  }

  #remaining(paymentId: PaymentId): Minor {
    return balance(this.#ledger.rows().filter((row) => row.paymentId === paymentId));
  }

  async #advance(id: string): Promise<void> {
    const found = this.#ledger.subscription(id);
    const attempt = this.#ledger.attempt(id);
    const { profile } = this.#ledger;
    if (!found || !attempt || !profile) return;
    const { cancelAskedAt, resumedAt, ends } = found;
    const gateway = gatewayOf(found.gateway, this.#env);
    const request = chargeRequestOf(this.#ledger, attempt, profile);
    if (cancelAskedAt !== null && !ends) await gateway.cancel(request, cancelAskedAt);
    else if (resumedAt) await gateway.resume?.(request, resumedAt);
    await this.#syncOne(this.#ledger.subscription(id) ?? found);
    if (found.withdrawnAt) await this.#refundAll(id);
  }

  async #syncOne(found: Subscription): Promise<void> {
    const attempt = this.#ledger.attempt(found.attempt);
    const { profile } = this.#ledger;
    if (!attempt || !profile) return;
    const gateway = gatewayOf(found.gateway, this.#env);
    const statement = await gateway.statement(chargeRequestOf(this.#ledger, attempt, profile));
    // Read again: its owner may have cancelled while the gateway was called.
    const { subscription, movements } = applyStatement(
      this.#ledger.subscription(found.attempt) ?? found,
      statement,
      Date.now(),
    );
    const reversals = reversalRows(this.#ledger.rowsOf(attempt.id), movements, Date.now());
    for (const { kind } of reversals) {
      log('error', 'ledger_corrected', { attempt: attempt.id, reason: kind });
    }
    this.#ledger.saveSubscription(subscription, [...movements, ...reversals]);
    endExtras(this.#ledger);
  }

  #serialized<T>(job: () => Promise<T>): Promise<T> {
    const mine = this.#queue.then(job, job);
    this.#queue = mine.catch(() => {});
    return mine;
  }
}
