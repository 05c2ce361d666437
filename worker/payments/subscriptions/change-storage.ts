import type { SyncKvStorage } from '@cloudflare/workers-types';
import type { AttemptId } from '../../platform/types.ts';
import { failedCardPrefix } from '../fraud/card-attempt-counter.ts';
import type { CardAttempt } from '../fraud/rules/card-limits.ts';
import { asCardAttempt, type CardUpdate } from '../purchase/card-update.ts';
import type { PlanChange } from '../purchase/change-state.ts';
import { isPending } from '../purchase/plan-change.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';
import { changeOf, type StoredChange, withPlanId } from '../storage/stored-records.ts';

/** The changes of one account's subscriptions; a confirmed one is kept for good. */
export class ChangeStorage {
  readonly #kv: SyncKvStorage;
  readonly #storage: PurchaseStorage;

  constructor(kv: SyncKvStorage, storage: PurchaseStorage) {
    this.#kv = kv;
    this.#storage = storage;
  }

  stored(id: string): StoredChange | undefined {
    return this.#kv.get<StoredChange>(`change:${id}`);
  }

  get(id: string): PlanChange | undefined {
    const stored = this.stored(id);
    return stored && this.#read(stored);
  }

  #read(stored: StoredChange): PlanChange {
    const change = changeOf(stored, this.#storage.plans.of);
    const isSame = change.plan.id === this.#storage.attempt(change.attempt)?.plan.id;
    return isSame ? this.#storage.reduced(change.attempt, change) : change;
  }

  all(): PlanChange[] {
    const stored = [...this.#kv.list<StoredChange>({ prefix: 'change:' })];
    return stored.map(([, change]) => this.#read(change));
  }

  pending(): PlanChange[] {
    return this.all().filter(isPending);
  }

  cardUpdates(): CardUpdate[] {
    return [...this.#kv.list<CardUpdate>({ prefix: 'card-update:' })].map(([, update]) => update);
  }

  /**
   * Everything that the limits on card testing count: purchases, changes that charge at once, new cards, and further
   * cards that somebody tried on a challenged payment.
   */
  cardAttempts(): CardAttempt[] {
    const changes = this.all().flatMap(({ amount, state, openedAt, challengedAt }) =>
      amount === 0 || state === 'quoted'
        ? []
        : ({ state: state === 'done' ? 'active' : state, openedAt, challengedAt } as const),
    );
    const failed = [...this.#kv.list<CardAttempt>({ prefix: failedCardPrefix })].map(
      ([, one]) => one,
    );
    const { countsFrom = 0 } = this.#storage.profile ?? {};
    const attempts = this.#storage.attempts();
    const all = [...attempts, ...changes, ...failed, ...this.cardUpdates().map(asCardAttempt)];
    return all.filter(({ openedAt }) => openedAt >= countsFrom);
  }

  pendingOf(attempt: AttemptId): PlanChange | undefined {
    return this.pending().find((change) => change.attempt === attempt);
  }

  /** A new quote replaces the subscription's last one; what was confirmed is copied to D1. */
  save(changed: PlanChange): void {
    const before = this.get(changed.id);
    const change = { ...changed, version: (before?.version ?? 0) + 1 };
    if (change.state === 'quoted') {
      for (const { id, attempt, state } of this.all())
        if (attempt === change.attempt && state === 'quoted') this.#kv.delete(`change:${id}`);
    }
    this.#storage.plans.keep(change.plan);
    this.#kv.put(`change:${change.id}`, withPlanId(change));
    const { account } = this.#storage.profile ?? {};
    const isChanged = before?.state !== change.state || before.paymentId !== change.paymentId;
    if (account && isChanged && change.state !== 'quoted')
      this.#storage.queue({ kind: 'plan_change', change, account });
  }
}
