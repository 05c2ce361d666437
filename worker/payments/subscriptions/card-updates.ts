import type { SyncKvStorage } from '@cloudflare/workers-types';
import { dayMs } from '../../platform/durations.ts';
import type { Env } from '../../platform/env.ts';
import { type Refused, refused } from '../../platform/errors.ts';
import { logger } from '../../platform/log.ts';
import { accountIdOf, epochMs } from '../../platform/types.ts';
import { advance, type TryWork } from '../attempts/advance-try.ts';
import type { CardAttemptCounter } from '../fraud/card-attempt-counter.ts';
import { ReservedId } from '../fraud/reserved-id.ts';
import { tooManyCardAttempts } from '../fraud/rules/card-limits.ts';
import type { CardOrder } from '../gateways/card-gateway.ts';
import { gateways } from '../gateways/index.ts';
import {
  asCardAttempt,
  type CardOutcome,
  type CardStep,
  type CardUpdate,
  cardMachine,
  isFinalUpdate,
  newCardUpdate,
} from '../purchase/card-update.ts';
import type { Unanswered } from '../purchase/gateway-try.ts';
import type { Subscription } from '../purchase/state.ts';
import { recordNewCard, scheduleSync } from '../purchase/subscription.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';
import { type CardTarget, cardKey, cardTarget } from './card-view.ts';
import { ChangeStorage } from './change-storage.ts';

const log = logger();

const retentionMs = dayMs;

const isPastDue = ({ status }: Subscription) => status === 'past_due';

export interface CardRequest
  extends Pick<CardUpdate, 'key' | 'gateway' | 'nonce' | 'deviceData' | 'agreed'> {
  /** Whether a report keeps the owner from paying what is due. */
  isSuspended?: boolean;
  cardCounterNames: readonly string[];
}

const forgotten = (update: CardUpdate): CardUpdate => ({
  ...cardMachine.expire(update),
  card: null,
});

/** Changes of the card that pays an account's renewals: one at a time, each idempotent by its key. */
export class CardUpdates {
  readonly #kv: SyncKvStorage;
  readonly #storage: PurchaseStorage;
  readonly #changes: ChangeStorage;
  readonly #env: Env;
  readonly #wake: () => Promise<void>;
  readonly #nextId = new ReservedId();

  /** @param wake sets the alarm to now */
  constructor(kv: SyncKvStorage, storage: PurchaseStorage, env: Env, wake: () => Promise<void>) {
    this.#kv = kv;
    this.#storage = storage;
    this.#changes = new ChangeStorage(kv, storage);
    this.#env = env;
    this.#wake = wake;
  }

  byKey(key: string): CardUpdate | undefined {
    return this.#kv.get<CardUpdate>(`card-update:${key}`);
  }

  #current(): CardUpdate | undefined {
    return this.#changes.cardUpdates().find((update) => !isFinalUpdate(update));
  }

  #save(update: CardUpdate): void {
    this.#kv.put(`card-update:${update.key}`, update);
    if (!isFinalUpdate(update) || update.payment === 'paid') return;
    for (const { attempt } of this.#storage.subscriptions())
      this.#storage.announced.disagree(attempt, update.id);
  }

  attempt(id: string): ReturnType<typeof asCardAttempt> | undefined {
    return this.#changes
      .cardUpdates()
      .map(asCardAttempt)
      .find((one) => one.id === id);
  }

  dueAt(): number | null {
    return this.#current()?.dueAt ?? null;
  }

  /** An update that is waiting for the bank is replaced by a new one. */
  async request(
    request: CardRequest,
    counter: CardAttemptCounter,
  ): Promise<{ kind: 'accepted' } | Refused> {
    for (let counted = ''; ; ) {
      const now = Date.now();
      const before = this.byKey(request.key);
      if (before) {
        this.#save(cardMachine.resume(before, request.nonce, now));
        await this.#wake();
        return { kind: 'accepted' };
      }
      const target = cardTarget(this.#storage);
      if (!target) return refused('card_not_needed');
      if (target.gateway !== request.gateway) return refused('gateway_unknown');
      if (request.isSuspended && target.subscriptions.some(isPastDue))
        return refused('account_suspended');
      const current = this.#current();
      if (current && current.state !== 'challenged') return refused('purchase_in_progress');
      if (tooManyCardAttempts(this.#changes.cardAttempts(), now))
        return refused('too_many_declines');
      const { cardCounterNames: names } = request;
      if (names.length === 0 || counted === this.#nextId.current) {
        counter.markCounted(counted, names);
        this.#open(request, current, now);
        await this.#wake();
        return { kind: 'accepted' };
      }
      counted = this.#nextId.current;
      const refusal = await counter.count(counted, names);
      if (refusal) return refusal;
    }
  }

  #open(
    { cardCounterNames: _, isSuspended: _isSuspended, ...request }: CardRequest,
    replaced: CardUpdate | undefined,
    now: number,
  ): void {
    for (const { key, openedAt } of this.#changes.cardUpdates().filter(isFinalUpdate)) {
      if (now - openedAt > retentionMs) this.#kv.delete(`card-update:${key}`);
    }
    if (replaced) this.#save(cardMachine.expire(replaced));
    const update = newCardUpdate({ ...request, id: this.#nextId.take() }, now);
    this.#save(update);
    const due = cardTarget(this.#storage)?.subscriptions.filter(isPastDue) ?? [];
    const [only] = due;
    // Together they owe what their e-mails said; the page showed only the sum.
    if (!only || due.length > 1 || update.agreed === 0) return;
    const charge = { amount: update.agreed, at: epochMs(now), by: update.id };
    this.#storage.announced.agree(only.attempt, charge);
  }

  /** Called for a deleted account. */
  forget(): void {
    for (const [key] of [...this.#kv.list({ prefix: 'card:' })]) this.#kv.delete(key);
    for (const update of this.#changes.cardUpdates()) this.#save(forgotten(update));
  }

  /** Runs due updates. Never throws. */
  runDue(): Promise<void> {
    return advance(() => this.#work());
  }

  #work(): TryWork<CardUpdate, CardStep, CardOutcome> | undefined {
    const found = this.#current();
    if (!found) return undefined;
    const { gateway: vendor, key } = found;
    const target = cardTarget(this.#storage);
    const calledAt = Date.now();
    return {
      found,
      context: { vendor },
      machine: cardMachine,
      latest: () => this.byKey(key),

      call: (step) => this.#call(step, found, target),

      record: ({ after, step }) => {
        // The account may have been deleted while the gateway was called.
        const isDeleted = this.#storage.profile?.isDeleted === true;
        const kept = isDeleted ? forgotten(after) : after;
        this.#save(kept);
        const { state, payment } = kept;
        const ms = Date.now() - calledAt;
        log('info', 'card_update_changed', { vendor, state, reason: payment ?? step, ms });
        if (state === 'done' && target && !isDeleted) this.#keep(kept, target);
      },
    };
  }

  async #call(
    step: CardStep,
    update: CardUpdate,
    target: CardTarget | null,
  ): Promise<CardOutcome | Unanswered> {
    if (target?.gateway !== update.gateway) return { kind: 'expired' };
    const cards = await gateways[update.gateway].cards(this.#env);
    const order: CardOrder = {
      update,
      account: this.#storage.profile?.account ?? accountIdOf(''),
      customerId: target.first.customerId,
      currency: target.plan.currency,
      subscriptionIds: target.ids,
      markPaymentSent: (id, newest) => {
        const before = this.byKey(update.key) ?? update;
        const sentPayments = { ...before.sentPayments, [id]: { at: Date.now(), newest } };
        this.#save({ ...before, sentPayments });
      },
    };
    if (step === 'verify') return cards.verify(order);
    if (step === 'setDefault') {
      await cards.setDefault(order);
      this.#storage.updateProfile({ cardCheckAt: null });
      // Stored before it pays, so that a payment read afterwards is assigned to the new card.
      for (const { attempt } of target.subscriptions) {
        const found = this.#storage.subscription(attempt);
        if (found) this.#storage.saveSubscription(recordNewCard(found, Date.now()));
      }
    }
    const { due } = await cards.billing(target.ids);
    if (step === 'setDefault') return { kind: 'default', due };
    // A gateway that was down for hours may have added a period, but only the displayed amount is charged.
    if (due > update.agreed) return { kind: 'expired' };
    return step === 'pay' ? cards.pay(order) : cards.lookUpPayment(order);
  }

  /** An extra is charged with the new card, and its payment is read from the gateway at once. */
  #keep({ gateway, card, methodId }: CardUpdate, { first, subscriptions }: CardTarget): void {
    if (card) this.#kv.put(cardKey(gateway), card);
    this.#storage.saveCustomer(gateway, { customerId: first.customerId, methodId });
    for (const one of subscriptions) {
      const found = this.#storage.subscription(one.attempt);
      if (found) this.#storage.saveSubscription(scheduleSync(found, Date.now()));
    }
  }
}
