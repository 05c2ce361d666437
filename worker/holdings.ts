import { orderOf } from './asking.ts';
import type { Env } from './env.ts';
import { forgetOwner } from './forgetting.ts';
import { balance } from './funnel/balance.ts';
import { type Bought, lookAgain, reminded, settled } from './funnel/bought.ts';
import { counterRows, movementOf } from './funnel/counter-rows.ts';
import { reminderOf } from './funnel/notice.ts';
import type { Ledger } from './ledger.ts';
import { logger } from './log.ts';
import { type Reckoning, reckon } from './reckoning.ts';
import { unclear } from './unclear.ts';
import { gatewayOf } from './vendors/gateways.ts';
import { end, endExtras } from './wishes.ts';

const log = logger();
/** How soon a gateway that gave no answer is asked again, in ms. */
const pause = 5 * 60_000;
/** How soon what was refused is tried again. */
const refusedPause = 60 * 60_000;

/** What a refund came to. */
export type Refunded =
  | { refunded: number }
  | { refusal: 'refund_too_large' | 'unknown_payment' }
  | { refusal: 'refund_refused'; reason: string };

/** The life of what an account bought: renewals, ends, refunds. One thing after another. */
export class Holdings {
  readonly #ledger: Ledger;
  readonly #env: Env;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(ledger: Ledger, env: Env) {
    this.#ledger = ledger;
    this.#env = env;
  }

  /**
   * Reads everything at the gateways anew, so that neither order nor number of their messages matters.
   *
   * @returns false when something could not be read; the rest was
   */
  sync(): Promise<boolean> {
    return this.#inTurn(async () => {
      let read = true;
      for (const bought of this.#ledger.bought()) {
        await this.#read(bought).catch((error) => {
          unclear(error, { vendor: bought.gateway, attempt: bought.attempt });
          read = false;
        });
      }
      return read;
    });
  }

  /** Lays the ledger beside what the gateways say now. */
  compare(): Promise<Reckoning> {
    return this.#inTurn(() => reckon(this.#ledger, this.#env));
  }

  /** Does what is due; a gateway that does not answer is asked again later. Never throws. */
  async work(): Promise<void> {
    this.#remind();
    for (const { attempt, dueAt } of this.#ledger.bought()) {
      if (dueAt === null || dueAt > Date.now()) continue;
      await this.#inTurn(() => this.#advance(attempt)).catch((error) => {
        unclear(error, { attempt });
        this.#lookAgain(attempt, Date.now() + pause);
      });
    }
  }

  #lookAgain(id: string, at: number): void {
    const { profile } = this.#ledger;
    const found = this.#find(id);
    if (profile && found) this.#ledger.hold(lookAgain(found, at), [], profile.account, Date.now());
  }

  /** When there is something to do; null for never. */
  dueAt(): number | null {
    const due = this.#ledger
      .bought()
      .flatMap(({ dueAt, remindAt }) => [dueAt, remindAt].flatMap((at) => at ?? []));
    return due.length > 0 ? Math.min(...due) : null;
  }

  /**
   * Ends everything without a mail, and forgets whose it was: there is nobody to write to. Refused
   * while a payment is under way.
   */
  leave(): 'purchase_under_way' | null {
    if (this.#ledger.unsettled().length > 0) return 'purchase_under_way';
    for (const { attempt } of this.#ledger.bought()) end(this.#ledger, attempt, false);
    forgetOwner(this.#ledger, this.#env);
    return null;
  }

  /** Writes the reminders that are due. */
  #remind(): void {
    const now = Date.now();
    const { profile } = this.#ledger;
    for (const bought of this.#ledger.bought()) {
      const attempt = this.#ledger.attempt(bought.attempt);
      if (!profile || !attempt || !bought.remindAt || bought.remindAt > now) continue;
      const notice = reminderOf(attempt, bought, now);
      this.#ledger.hold(reminded(bought), [], profile.account, now);
      if (notice) this.#ledger.post(notice, now);
    }
  }

  /**
   * Gives money of a payment back, once for a key.
   *
   * @param amount minor units; all that is left of the payment when null
   * @throws when the gateway does not answer; the same call may then be repeated
   */
  refund(paymentId: string, amount: number | null, key: string): Promise<Refunded> {
    return this.#inTurn(() => this.#refund(paymentId, amount, key));
  }

  async #refund(paymentId: string, amount: number | null, key: string): Promise<Refunded> {
    const rows = this.#ledger.rows().filter((row) => row.paymentId === paymentId);
    const capture = rows.find(({ kind }) => kind === 'capture');
    const attempt = capture && this.#ledger.attempt(capture.attempt);
    const bought = attempt && this.#find(attempt.id);
    const { profile } = this.#ledger;
    if (!attempt || !bought || !profile) return { refusal: 'unknown_payment' };
    let wanted = this.#ledger.refund(key);
    if (wanted === undefined) {
      await this.#read(bought);
      const left = this.#left(paymentId);
      wanted = amount ?? left;
      if (wanted < 1 || wanted > left) return { refusal: 'refund_too_large' };
      this.#ledger.keepRefund(key, wanted);
    }
    const gateway = gatewayOf(attempt.gateway, this.#env);
    const order = orderOf(this.#ledger, attempt, profile);
    const refused = await gateway.refund(order, paymentId, wanted, {
      key,
      sentAt: this.#ledger.refundSentAt(key),
      sending: () => this.#ledger.refundSent(key, Date.now()),
    });
    await this.#read(bought);
    if (refused) {
      this.#ledger.dropRefund(key);
      return { refusal: 'refund_refused', reason: refused.refused };
    }
    return { refunded: wanted };
  }

  #rowsOf(id: string) {
    return this.#ledger.rows().filter(({ attempt }) => attempt === id);
  }

  /** Pays everything back that an attempt took. */
  async #payBack(id: string): Promise<void> {
    for (const { kind, paymentId } of this.#rowsOf(id)) {
      if (kind !== 'capture' || this.#left(paymentId) < 1) continue;
      const refunded = await this.#refund(paymentId, null, this.#withdrawalKey(paymentId));
      if (!('refusal' in refunded)) continue;
      log('error', 'withdrawal_refused', { attempt: id, reason: refunded.refusal });
      this.#lookAgain(id, Date.now() + refusedPause);
    }
  }

  /** A refund that failed after all is no answer to the next try: that one has a key of its own. */
  #withdrawalKey(payment: string): string {
    const failed = this.#ledger
      .rows()
      .filter(
        ({ id, kind, paymentId }) =>
          paymentId === payment && kind === 'refund' && movementOf(id) !== id,
      );
    return ['withdrawal', payment, ...(failed.length > 0 ? [failed.length] : [])].join(':');
  }

  /** What is left of a payment after refunds and lost disputes, in minor units. */
  #left(paymentId: string): number {
    return balance(this.#ledger.rows().filter((row) => row.paymentId === paymentId));
  }

  async #advance(id: string): Promise<void> {
    const found = this.#find(id);
    const attempt = this.#ledger.attempt(id);
    const { profile } = this.#ledger;
    if (!found || !attempt || !profile) return;
    const { cancelAskedAt, resumedAt, ends } = found;
    const gateway = gatewayOf(found.gateway, this.#env);
    const order = orderOf(this.#ledger, attempt, profile);
    if (cancelAskedAt !== null && !ends) await gateway.cancel(order, cancelAskedAt);
    else if (resumedAt) await gateway.resume?.(order, resumedAt);
    await this.#read(this.#find(id) ?? found);
    if (found.withdrawnAt) await this.#payBack(id);
  }

  async #read(found: Bought): Promise<void> {
    const attempt = this.#ledger.attempt(found.attempt);
    const { profile } = this.#ledger;
    if (!attempt || !profile) return;
    const gateway = gatewayOf(found.gateway, this.#env);
    const statement = await gateway.statement(orderOf(this.#ledger, attempt, profile));
    // Asked to end while the gateway was being read.
    const { bought, movements } = settled(
      this.#find(found.attempt) ?? found,
      statement,
      Date.now(),
    );
    const counters = counterRows(this.#rowsOf(attempt.id), movements, Date.now());
    for (const { kind } of counters) {
      log('error', 'money_changed', { attempt: attempt.id, reason: kind });
    }
    this.#ledger.hold(bought, [...movements, ...counters], profile.account, Date.now());
    endExtras(this.#ledger);
  }

  #find(attempt: string): Bought | undefined {
    return this.#ledger.bought().find((bought) => bought.attempt === attempt);
  }

  #inTurn<T>(job: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(job, job);
    this.#turn = mine.catch(() => {});
    return mine;
  }
}
