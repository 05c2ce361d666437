import { DurableObject } from 'cloudflare:workers';
import { advance } from './advance.ts';
import type { Env } from './env.ts';
import type { ErrorCode } from './errors.ts';
import { forgetAtGateways } from './forgetting.ts';
import { newAttempt } from './funnel/attempt.ts';
import { accessUntil, type Bought } from './funnel/bought.ts';
import type { PlanId, Slot } from './funnel/plans.ts';
import { type Attempt, comeBack, fail, hearNews, isFinal } from './funnel/purchase.ts';
import { type Held, heldBy } from './held.ts';
import { Holdings, type Refunded } from './holdings.ts';
import { settleIntros } from './intro-limit.ts';
import { Ledger } from './ledger.ts';
import { judge, type Opening, type Purchase } from './opening.ts';
import { feed } from './outbox.ts';
import { randomHex } from './random-hex.ts';
import { Redemptions } from './redemptions.ts';
import { endInvitations } from './take-back.ts';
import { countedFor, Tries } from './tries.ts';
import { unclear } from './unclear.ts';
import {
  askToConfirm,
  end,
  endExtras,
  goOn,
  type NotResumed,
  takeBack,
  type Unconfirmed,
} from './wishes.ts';

export type Opened = { pollingId: string } | { refusal: ErrorCode };

/** How soon the job runs again after a crash, in ms, and how soon it retries D1. */
const safety = 1000;
const projectionPause = 30_000;

/** One account's purchases: its slots, attempts and ledger. The only writer of money. */
export class Purchases extends DurableObject<Env> {
  readonly #ledger = new Ledger(this.ctx.storage.kv);
  readonly #holdings = new Holdings(this.#ledger, this.env);
  readonly #tries = new Tries(this.ctx.storage.kv, this.env);
  readonly #redemptions = new Redemptions(this.ctx.storage.kv, this.env);
  /** Id of the next attempt: all who ask for it at once are one try. */
  #next: string = crypto.randomUUID();

  /** Whether the account bought a main plan that is not over; its renewal may be late. */
  paid(): boolean {
    return this.#ledger.inSlot('main')?.state === 'active';
  }

  /** Whether the account ever paid, or may have: a payment under way is not known to have failed. */
  everPaid(): boolean {
    return this.#ledger.attempts().some(({ state }) => state === 'active' || !isFinal(state));
  }

  /** The plan in a slot that may be used now; null when there is none. */
  active(slot: Slot): PlanId | null {
    const attempt = this.#ledger.inSlot(slot);
    const bought = this.#ledger.bought().find((one) => one.attempt === attempt?.id);
    return bought && accessUntil(bought) > Date.now() ? bought.plan : null;
  }

  /**
   * Opens an attempt, or finds the open one; the job does the rest.
   *
   * The same plan in a closed slot answers the same polling id; another plan is refused.
   */
  async buy(purchase: Purchase): Promise<Opened> {
    for (let taken = ''; ; ) {
      // Judged anew after each wait: another call may have opened or left meanwhile.
      const verdict = judge(this.#ledger, purchase, Date.now());
      if ('refusal' in verdict) return verdict;
      if ('retry' in verdict) return this.#again(verdict.retry, purchase);
      const { coupon } = verdict.opening.purchase;
      const names = countedFor(purchase);
      const takes = names.length > 0 || coupon?.limit;
      if (!takes || taken === this.#next) return this.#open(verdict.opening);
      taken = this.#next;
      const tried = names.length > 0 ? await this.#tries.take(taken, names) : null;
      const refusal = tried ?? (await this.#redemptions.take(taken, coupon));
      if (refusal) return { refusal };
    }
  }

  /** What the account bought, with all money that moved for it. */
  held(): Held[] {
    return heldBy(this.#ledger);
  }

  /**
   * Reads all that was bought at its gateways anew, and has the job look at what a bank asks about.
   *
   * @param unconfirmed renewals that a bank wants confirmed: their buyer is mailed
   * @returns false when a gateway does not answer
   */
  async sync(unconfirmed: readonly Unconfirmed[] = []): Promise<boolean> {
    const now = Date.now();
    for (const before of this.#ledger.unsettled()) {
      this.#put(hearNews(comeBack(before, null, now), now), before);
    }
    const read = await this.#holdings.sync();
    if (read) for (const one of unconfirmed) askToConfirm(this.#ledger, one);
    await this.ctx.storage.setAlarm(Date.now());
    return read;
  }

  /** The ledger beside what the gateways say now; changes neither. */
  compare(): ReturnType<Holdings['compare']> {
    return this.#holdings.compare();
  }

  /**
   * Ends the renewals of what an attempt bought, and of a plan's extras: one change, noted at once,
   * told to the gateway by the job.
   */
  async end(attempt: string): Promise<Held | undefined> {
    return this.#change(() => end(this.#ledger, attempt));
  }

  /** Lets renewals go on that were to end: noted at once, told to the gateway by the job. */
  async resume(attempt: string): Promise<Held | NotResumed> {
    const resumed = goOn(this.#ledger, attempt);
    if ('refusal' in resumed) return resumed;
    return (await this.#change(() => resumed)) ?? { refusal: 'resume_over' };
  }

  /**
   * Takes back a purchase within its time, and a plan's extras with it: one change, noted at once,
   * paid back by the job. An extra whose time is over ends.
   */
  async withdraw(attempt: string): Promise<Held | undefined> {
    return this.#change(() => takeBack(this.#ledger, attempt));
  }

  /** Takes back purchases under the guarantee, in one change; what may not be taken back ends. */
  async claim(attempts: readonly string[]): Promise<void> {
    const claimOne = (attempt: string) =>
      takeBack(this.#ledger, attempt, true) ?? end(this.#ledger, attempt);
    await this.#change(() => attempts.map(claimOne).at(-1));
  }

  /** Ends what renews and forgets the e-mail. @param refusalOf asks whether the session still may */
  async leave(refusalOf: () => Promise<ErrorCode | null>) {
    const refusal = (await refusalOf()) ?? this.#holdings.leave();
    if (refusal) return { refusal };
    await this.ctx.storage.setAlarm(Date.now());
    return { held: this.held() };
  }

  /** Makes a change and what follows from it for extras, or none of it. The job does the rest. */
  async #change(change: () => Bought | undefined): Promise<Held | undefined> {
    const changed = this.ctx.storage.transactionSync(() => {
      const bought = change();
      endExtras(this.#ledger);
      return bought;
    });
    await this.ctx.storage.setAlarm(Date.now());
    await endInvitations(this.#ledger, this.env);
    return changed && this.held().find(({ bought }) => bought.attempt === changed.attempt);
  }

  /** Gives money back, once for a key; what is unclear may be repeated. See `Holdings.refund`. */
  async refund(
    paymentId: string,
    amount: number | null,
    key: string,
  ): Promise<Refunded | { refusal: 'gateway_unclear' }> {
    const refunded = await this.#holdings.refund(paymentId, amount, key).catch((error) => {
      unclear(error);
      return { refusal: 'gateway_unclear' } as const;
    });
    await this.ctx.storage.setAlarm(Date.now());
    return refunded;
  }

  async #open({ plan, purchase, instead }: Opening): Promise<Opened> {
    const { account, email, nonce, gateway, site } = purchase;
    const now = Date.now();
    this.#ledger.setProfile({ known: {}, ...this.#ledger.profile, account, email, site });
    // What is added with the saved card is charged where that card is known.
    const charger = nonce ? gateway : (this.#ledger.inSlot('main')?.gateway ?? gateway);
    const ids = { id: this.#next, pollingId: this.#newPollingId() };
    this.#next = crypto.randomUUID();
    if (countedFor(purchase).length > 0) this.#tries.opened(ids.id);
    if (instead) this.#ledger.save(fail(instead), account, now);
    const buyer = { ...purchase, gateway: charger };
    const attempt = { ...newAttempt(plan, buyer, ids, now), epoch: purchase.epoch };
    this.#ledger.save(attempt, account, now);
    this.#ledger.setTrace(attempt.id, purchase.trace);
    await this.ctx.storage.setAlarm(now);
    return { pollingId: attempt.pollingId };
  }

  #newPollingId(): string {
    return `${this.ctx.id}.${randomHex()}`;
  }

  async #again(found: Attempt, again: Purchase): Promise<Opened> {
    const { paymentId, nonce, epoch } = again;
    if (paymentId && found.paymentId !== paymentId) return { refusal: 'intent_foreign' };
    // A session that has ended must not read what becomes of the attempt that it opened.
    const taken = { ...found, epoch, pollingId: this.#newPollingId() };
    const before = found.epoch === epoch ? found : taken;
    this.#put(before, found);
    // The buyer may have changed their mind about ads since.
    if (!isFinal(before.state)) this.#ledger.setTrace(before.id, again.trace);
    // Coming back without the intent's id is coming back all the same: the intent is read again.
    const back = comeBack(before, nonce, Date.now());
    if (this.#put(back, before)) await this.ctx.storage.setAlarm(Date.now());
    return { pollingId: before.pollingId };
  }

  #put(attempt: Attempt, before: Attempt): boolean {
    const { profile } = this.#ledger;
    if (attempt === before || !profile) return false;
    this.#ledger.save(attempt, profile.account, Date.now());
    return true;
  }

  /** The attempt of a polling id; undefined when this object never gave it out. */
  result(pollingId: string): Attempt | undefined {
    return this.#ledger.byPolling(pollingId);
  }

  /**
   * The job. It never throws: the next alarm stands before the work begins, and goes when nothing
   * is left, because the platform's own retries give up after a few and leave a job stuck.
   */
  override async alarm(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + safety);
    const invitationsEnded = await endInvitations(this.#ledger, this.env);
    for (const { id } of this.#ledger.unsettled()) await advance(id, this.#ledger, this.env);
    await this.#holdings.work();
    const forget = await forgetAtGateways(this.#ledger, this.env);
    const projected = await feed(this.#ledger, this.env);
    await this.#tries.settle((id) => this.#ledger.attempt(id));
    const unused = await this.#redemptions.settle((id) => this.#ledger.attempt(id), this.#next);
    const due = this.#ledger.unsettled().map(({ dueAt }) => dueAt);
    const released = await settleIntros(this.#ledger, this.env);
    if (!projected || !released || !invitationsEnded) due.push(Date.now() + projectionPause);
    // What came while the job waited is due at once: its own alarm may be the one that is replaced.
    else if (this.#ledger.outbox().length > 0) due.push(Date.now());
    if (this.#ledger.profile?.unforgotten?.length) due.push(forget ?? Date.now());
    due.push(...[this.#holdings.dueAt(), unused].flatMap((at) => at ?? []));
    if (due.length > 0) await this.ctx.storage.setAlarm(Math.min(...due));
    else await this.ctx.storage.deleteAlarm();
  }
}
