import { DurableObject } from 'cloudflare:workers';
import type { Env } from './env.ts';
import type { ErrorCode } from './errors.ts';
import { type Plan, type PlanId, planById, type Slot } from './funnel/plans.ts';
import {
  type Attempt,
  comeBack,
  fail,
  type Gateway,
  isFinal,
  move,
  nextStep,
  send,
} from './funnel/purchase.ts';
import { Ledger, type Profile } from './ledger.ts';
import { logger } from './log.ts';
import { project } from './storage/projection.ts';
import { stripeGateway } from './vendors/stripe.ts';

/** What a visitor asks to buy. */
export interface Purchase {
  account: string;
  email: string;
  plan: string;
  nonce: string | null;
  /** Set when the payer comes back from the bank. */
  paymentId: string | null;
  /** The experiment and arm of who buys; no experiment for who takes no part. */
  experiment: string | null;
  arm: string;
}

export type Opened = { pollingId: string } | { refusal: ErrorCode };

const log = logger();
/** How soon the job runs again after a crash, in ms, and how soon it retries D1. */
const safety = 1000;
const projectionPause = 30_000;

const randomId = () =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

/** What kind of error it was, without its message, which may quote what was sent. */
function kindOf(error: unknown): { reason: string; code?: string } {
  if (!(error instanceof Error)) return { reason: 'thrown' };
  const { type = error.name, code } = error as { type?: string; code?: string };
  return { reason: type, code };
}

/** One account's purchases: its slots, attempts and ledger. The only writer of money. */
export class Purchases extends DurableObject<Env> {
  readonly #ledger = new Ledger(this.ctx.storage.kv);

  /** Whether the account ever bought a main plan that is active. */
  paid(): boolean {
    return this.active('main') !== null;
  }

  /** The plan that is active in a slot; null when there is none. */
  active(slot: Slot): PlanId | null {
    const attempt = this.#ledger.inSlot(slot);
    return attempt?.state === 'active' ? attempt.plan : null;
  }

  /**
   * Opens an attempt, or finds the open one; the job does the rest.
   *
   * The same plan in a closed slot answers the same polling id; another plan is refused.
   */
  async buy(purchase: Purchase): Promise<Opened> {
    const plan = planById(purchase.plan);
    if (!plan) return { refusal: 'unknown_plan' };
    const before = this.#ledger.inSlot(plan.slot);
    if (before) return this.#again(before, purchase);
    if (purchase.paymentId) return { refusal: 'intent_foreign' };
    if (plan.slot !== 'main' && !this.paid()) return { refusal: 'main_purchase_missing' };
    if (plan.slot === 'main' && !purchase.nonce) return { refusal: 'nonce_missing' };
    return this.#open(plan, purchase);
  }

  async #open(plan: Plan, { account, email, nonce, experiment, arm }: Purchase): Promise<Opened> {
    const now = Date.now();
    this.#ledger.setProfile(
      this.#ledger.profile ?? { account, email, customerId: null, methodId: null },
    );
    const attempt: Attempt = {
      id: crypto.randomUUID(),
      pollingId: `${this.ctx.id}.${randomId()}`,
      slot: plan.slot,
      plan: plan.id,
      nonce,
      experiment,
      arm,
      state: 'open',
      openedAt: now,
      challengedAt: null,
      dueAt: now,
      tries: 0,
      paymentId: null,
      secret: null,
      charge: null,
      declineCode: null,
      processorResponse: null,
      version: 1,
    };
    this.#ledger.save(attempt, account, now);
    await this.ctx.storage.setAlarm(now);
    return { pollingId: attempt.pollingId };
  }

  async #again(before: Attempt, { plan, paymentId, account }: Purchase): Promise<Opened> {
    if (before.plan !== plan) return { refusal: 'slot_busy' };
    if (paymentId && before.paymentId !== paymentId) return { refusal: 'intent_foreign' };
    // Coming back without the intent's id is coming back all the same: the intent is read again.
    const attempt = comeBack(before, Date.now());
    if (attempt !== before) {
      this.#ledger.save(attempt, account, Date.now());
      await this.ctx.storage.setAlarm(Date.now());
    }
    return { pollingId: before.pollingId };
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
    for (const { id } of this.#ledger.unsettled()) await this.#advance(id);
    const projected = await this.#project();
    const due = this.#ledger.unsettled().map(({ dueAt }) => dueAt);
    if (!projected) due.push(Date.now() + projectionPause);
    if (due.length > 0) await this.ctx.storage.setAlarm(Math.min(...due));
    else await this.ctx.storage.deleteAlarm();
  }

  async #advance(id: string): Promise<void> {
    const profile = this.#ledger.profile;
    const found = this.#ledger.attempt(id);
    if (!profile || !found || found.dueAt > Date.now()) return;
    const step = nextStep(found, Date.now());
    if (step === 'nothing') return;
    if (step === 'fail') return this.#ledger.save(fail(found), profile.account, Date.now());
    const attempt = step === 'charge' ? send(found) : found;
    if (attempt !== found) this.#ledger.save(attempt, profile.account, Date.now());
    const outcome = await this.#ask(step, attempt, profile);
    const moved = move(this.#ledger.attempt(id) ?? attempt, outcome, Date.now());
    this.#remember(moved);
    this.#ledger.save(moved, profile.account, Date.now());
    const reason = outcome.kind === 'rejected' ? outcome.reason : outcome.kind;
    log('info', 'purchase', { attempt: id, state: moved.state, reason });
    if (!isFinal(moved.state) && moved.dueAt <= Date.now()) await this.#advance(id);
  }

  async #ask(step: 'charge' | 'lookUp' | 'settle', attempt: Attempt, profile: Profile) {
    const gateway = stripeGateway(this.env);
    try {
      const customerId = profile.customerId ?? (await this.#customer(gateway, profile));
      return await gateway[step]({ ...profile, customerId, attempt });
    } catch (error) {
      log('warn', 'gateway_unclear', { vendor: 'stripe', attempt: attempt.id, ...kindOf(error) });
      return { kind: 'unknown' } as const;
    }
  }

  /** Kept before anything is charged to it, so that a charge can always be found again. */
  async #customer(gateway: Gateway, profile: Profile): Promise<string> {
    const customerId = await gateway.customer(profile.account, profile.email);
    this.#ledger.setProfile({ ...profile, customerId });
    return customerId;
  }

  #remember({ charge }: Attempt): void {
    const profile = this.#ledger.profile;
    if (charge && profile) this.#ledger.setProfile({ ...profile, methodId: charge.methodId });
  }

  /** Feeds D1; false while something is left. */
  async #project(): Promise<boolean> {
    for (;;) {
      const changes = this.#ledger.outbox();
      if (changes.length === 0) return true;
      try {
        await project(
          this.env.DB,
          changes.map(([, change]) => change),
        );
      } catch (error) {
        log('warn', 'projection_failed', {
          reason: error instanceof Error ? error.name : 'thrown',
        });
        return false;
      }
      this.#ledger.sent(changes.map(([key]) => key));
    }
  }
}
