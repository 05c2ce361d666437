import type { SyncKvStorage } from '@cloudflare/workers-types';
import type { AdClickData } from '../../analytics/rules/conversion.ts';
import type { Segment } from '../../analytics/rules/count.ts';
import {
  type Plan,
  reductionLeft,
  type Slot,
  withoutReduction,
} from '../../catalog/rules/plans.ts';
import { cohortOf } from '../../experiments/rules/cohorts.ts';
import { logger } from '../../platform/log.ts';
import { syntheticArm } from '../../platform/log-counts.ts';
import type { AccountId, AttemptId } from '../../platform/types.ts';
import type { CustomerIds, Profile } from '../attempts/profile.ts';
import type { LedgerRow } from '../ledger/ledger-table.ts';
import type { Cohort, OutboxEntry } from '../ledger/purchase-projection.ts';
import type { Notice } from '../notices/email-notices.ts';
import { movementNotice } from '../notices/money-notices.ts';
import { isFinal } from '../purchase/attempt.ts';
import { isFailureChanged } from '../purchase/failed-renewal.ts';
import {
  addedArmSquares,
  addedSquares,
  isRenewal,
  type Movements,
  netRows,
} from '../purchase/money-movements.ts';
import type { FailedRenewal } from '../purchase/renewal-state.ts';
import type { Attempt, GatewayName, Subscription } from '../purchase/state.ts';
import { releasesSlot } from '../purchase/subscription.ts';
import { taxOfMovement } from '../purchase/tax.ts';
import { AnnouncedCharges } from './announced-charges.ts';
import { DebitPayers } from './debit-payers.ts';
import { IntroReservations } from './intro-reservations.ts';
import { OutboxEntries } from './outbox-entries.ts';
import { RequestedRefunds } from './requested-refunds.ts';
import { SoldPlans } from './sold-plans.ts';
import {
  attemptOf,
  plansOf,
  profileOf,
  type StoredAttempt,
  type StoredProfile,
  type StoredSubscription,
  storedProfile,
  storedSubscription,
  subscriptionOf,
  withPlanId,
} from './stored-records.ts';

const log = logger();

/** Gateways give times in seconds; within one second the capture comes first. */
const secondOf = ({ at }: LedgerRow) => Math.floor(at / 1000);

/** The storage of one account's object. Writes are synchronous, so that a crash leaves none incomplete. */
export class PurchaseStorage {
  readonly #kv: SyncKvStorage;
  readonly #clock: () => number;
  readonly plans: SoldPlans;
  readonly outbox: OutboxEntries;
  readonly announced: AnnouncedCharges;
  readonly debitPayers: DebitPayers;
  readonly introReservations: IntroReservations;
  readonly refunds: RequestedRefunds;

  constructor(kv: SyncKvStorage, clock = () => Date.now()) {
    this.#kv = kv;
    this.#clock = clock;
    this.plans = new SoldPlans(kv);
    this.outbox = new OutboxEntries(kv, clock, this.plans.of);
    this.announced = new AnnouncedCharges(kv);
    this.debitPayers = new DebitPayers(kv);
    this.introReservations = new IntroReservations(kv);
    this.refunds = new RequestedRefunds(kv);
  }

  get profile(): Profile | undefined {
    const stored = this.#kv.get<StoredProfile>('profile');
    return stored && profileOf(stored, this.plans.of);
  }

  setProfile(profile: Profile): void {
    this.#kv.put('profile', storedProfile(profile));
  }

  updateProfile(change: Partial<Profile>): void {
    const { profile } = this;
    if (profile) this.setProfile({ ...profile, ...change });
  }

  /** Empty until somebody proves the mailbox: a stranger may have typed the address. */
  get provenEmail(): string {
    const { profile } = this;
    return (!profile?.isUnproven && profile?.email) || '';
  }

  /** From now on purchases count for the mailbox. @param isElsewhere whether another browser proved it */
  proveMailbox(isElsewhere: boolean): void {
    if (!this.profile?.isUnproven) return;
    // What a stranger bought and ended uses up nothing of the owner's; a plan that runs is the owner's now.
    const isOver = isElsewhere && this.attemptInSlot('main') === undefined;
    this.updateProfile({ isUnproven: false, ...(isOver && { countsFrom: this.#clock() }) });
  }

  /** Whether an attempt counts for the limits of its person. */
  counts(attempt: AttemptId): boolean {
    return (this.attempt(attempt)?.openedAt ?? 0) >= (this.profile?.countsFrom ?? 0);
  }

  saveCustomer(gateway: GatewayName, ids: CustomerIds): void {
    this.updateProfile({ customers: { ...this.profile?.customers, [gateway]: ids } });
  }

  get #account(): AccountId {
    const account = this.profile?.account;
    if (account === undefined) throw new RangeError('no profile');
    return account;
  }

  /** A record with the plan of an attempt as it renews next: the coupon counts by the payments in the ledger. */
  reduced<T extends { plan: Plan }>(id: AttemptId, record: T): T {
    const { reduction = null } = this.#kv.get<StoredAttempt>(`attempt:${id}`) ?? {};
    if (!reduction) return record;
    const paid = netRows(this.rowsOf(id)).filter(({ kind }) => kind === 'capture');
    const left = reductionLeft(reduction, paid.length);
    return left ? { ...record, plan: { ...record.plan, reduction: left } } : record;
  }

  attempt(id: AttemptId): Attempt | undefined {
    const stored = this.#kv.get<StoredAttempt>(`attempt:${id}`);
    return stored && this.reduced(id, attemptOf(stored, this.plans.of));
  }

  attemptByPollingId(pollingId: string): Attempt | undefined {
    const id = this.#kv.get<AttemptId>(`polling:${pollingId}`);
    return id === undefined ? undefined : this.attempt(id);
  }

  attemptInSlot(slot: Slot): Attempt | undefined {
    const id = this.#kv.get<AttemptId>(`slot:${slot}`);
    return id === undefined ? undefined : this.attempt(id);
  }

  #list<T>(prefix: string): T[] {
    return [...this.#kv.list<T>({ prefix })].map(([, stored]) => stored);
  }

  attempts(): Attempt[] {
    const stored = this.#list<StoredAttempt>('attempt:');
    return stored.map((one) => this.reduced(one.id, attemptOf(one, this.plans.of)));
  }

  pendingAttempts(): Attempt[] {
    return this.attempts().filter(({ state }) => !isFinal(state));
  }

  subscriptions(): Subscription[] {
    const stored = this.#list<StoredSubscription>('subscription:');
    return stored.map((one) => this.reduced(one.attempt, subscriptionOf(one, this.plans.of)));
  }

  subscription(attempt: AttemptId): Subscription | undefined {
    const stored = this.#kv.get<StoredSubscription>(`subscription:${attempt}`);
    return stored && this.reduced(attempt, subscriptionOf(stored, this.plans.of));
  }

  subscriptionInSlot(slot: Slot): Subscription | undefined {
    const id = this.#kv.get<AttemptId>(`slot:${slot}`);
    return id === undefined ? undefined : this.subscription(id);
  }

  /** Every ledger row, oldest first. */
  rows(): LedgerRow[] {
    const rows = this.#list<LedgerRow>('ledger:');
    return rows.sort((a, b) => secondOf(a) - secondOf(b) || a.kind.localeCompare(b.kind));
  }

  rowsOf(attempt: AttemptId): LedgerRow[] {
    return this.rows().filter((row) => row.attempt === attempt);
  }

  save(attempt: Attempt): void {
    const account = this.#account;
    const before = this.attempt(attempt.id)?.pollingId;
    if (before && before !== attempt.pollingId) this.#kv.delete(`polling:${before}`);
    this.plans.keep(attempt.plan);
    this.#kv.put(`attempt:${attempt.id}`, withPlanId(attempt));
    this.#kv.put(`polling:${attempt.pollingId}`, attempt.id);
    if (!isFinal(attempt.state) || attempt.state === 'active') {
      this.#kv.put(`slot:${attempt.slot}`, attempt.id);
    } else {
      this.#releaseSlot(attempt);
      this.setAdClickData(attempt.id, null);
    }
    this.queue({ kind: 'attempt', attempt, account });
  }

  saveSubscription(subscription: Subscription, movements: Movements = []): void {
    const attempt = this.attempt(subscription.attempt);
    if (!attempt) throw new RangeError(`no attempt ${subscription.attempt}`);
    const known = this.subscription(subscription.attempt);
    for (const plan of plansOf(subscription)) this.plans.keep(plan);
    this.#kv.put(`subscription:${subscription.attempt}`, storedSubscription(subscription));
    if (releasesSlot(subscription)) this.#releaseSlot(attempt);
    this.queue({ kind: 'subscription', subscription, account: this.#account });
    if (isFailureChanged(subscription.failure, known?.failure)) {
      this.queue({ kind: 'failed_renewal', subscription, account: this.#account });
      const { periodEndedAt } = subscription.failure ?? {};
      this.#kv.put(`failure:${subscription.attempt}:${periodEndedAt}`, subscription.failure);
    }
    const rows = this.recordMovements(attempt, movements);
    for (const row of this.announced.check(attempt, known, subscription, rows)) {
      const { gateway, account, paymentId: payment, amount, currency } = row;
      const money = { attempt: attempt.id, payment, amount, currency };
      log('error', 'unannounced_charge', { ...money, vendor: gateway, arm: attempt.arm });
      const source = { account, gateway, at: this.#clock(), reason: 'not announced' } as const;
      this.queue({ kind: 'unspent_money', money: { ...money, ...source } });
    }
    const all = rows.length > 0 ? this.rowsOf(attempt.id) : [];
    const counted = this.reduced(attempt.id, {
      ...subscription,
      plan: withoutReduction(subscription.plan),
    });
    for (const row of rows) {
      const notice = movementNotice(attempt, counted, row, all);
      if (notice) this.notify(attempt.id, notice);
    }
  }

  /** Adds an attempt's money to the ledger, each movement once. @returns the rows that are new */
  recordMovements(attempt: Attempt, movements: Movements): LedgerRow[] {
    const { experiment, arm, arms, gateway, plan } = attempt;
    const account = this.#account;
    const { currency } = plan;
    const source = { attempt: attempt.id, account, gateway, experiment, arm, arms, currency };
    return movements.flatMap((movement) => {
      const id = `${movement.kind}:${movement.id}`;
      const key = `ledger:${id}`;
      if (this.#kv.get(key)) return [];
      const before = this.rows();
      const tax = taxOfMovement(movement, before);
      const row: LedgerRow = { ...source, ...movement, id, tax };
      const renewal = isRenewal(before, row);
      // New revenue and renewals are summed apart, each with the squares of its own.
      const alike = before.filter((other) => isRenewal(before, other) === renewal);
      const squares = addedSquares(alike, row);
      const armSquares = arms ? addedArmSquares(alike, row) : [];
      const cohort = this.#cohortOf(before, row);
      const more = cohort && { cohort };
      this.queue({ kind: 'movement', row, squares, armSquares, renewal, ...more });
      this.#kv.put(key, row);
      return [row];
    });
  }

  #cohortOf(before: readonly LedgerRow[], row: LedgerRow): Cohort | null {
    const signedUpAt = this.profile?.signedUpAt;
    const name = signedUpAt === undefined ? null : cohortOf(row.at - signedUpAt);
    if (signedUpAt === undefined || name === null) return null;
    const split = row.experiment ? [addedSquares(before, row)] : [];
    return { name, signedUpAt, squares: [...split, ...addedArmSquares(before, row)] };
  }

  setAdClickData(attempt: AttemptId, data: AdClickData | null): void {
    if (data) this.#kv.put(`ad-click:${attempt}`, data);
    else this.#kv.delete(`ad-click:${attempt}`);
  }

  adClickData(attempt: AttemptId): AdClickData | undefined {
    return this.#kv.get<AdClickData>(`ad-click:${attempt}`);
  }

  setSegment(attempt: AttemptId, segment: Segment | undefined): void {
    if (segment) this.#kv.put(`slice:${attempt}`, segment);
  }

  segment(attempt: AttemptId): Segment | undefined {
    return this.#kv.get<Segment>(`slice:${attempt}`);
  }

  #releaseSlot({ slot, id }: Attempt): void {
    if (this.#kv.get(`slot:${slot}`) === id) this.#kv.delete(`slot:${slot}`);
  }

  /** Queues an e-mail to the buyer, and keeps which charges it announces. */
  notify(attempt: AttemptId, notice: Notice): void {
    this.announced.email(attempt, notice);
    // The synthetic visitor gets no e-mails.
    if (this.attempts().some(({ arm }) => arm === syntheticArm)) return;
    this.outbox.append({ kind: 'email', notice });
  }

  queue(entry: Exclude<OutboxEntry, { kind: 'email' }>): void {
    this.outbox.append(entry);
  }

  /** Every renewal of the subscription that failed, also those that were resolved since. */
  failures({ attempt, failure }: Subscription): FailedRenewal[] {
    const earlier = this.#list<FailedRenewal>(`failure:${attempt}:`);
    // A build without this list stored the last one only.
    const isListed = earlier.some(({ periodEndedAt }) => periodEndedAt === failure?.periodEndedAt);
    return failure && !isListed ? [...earlier, failure] : earlier;
  }
}
