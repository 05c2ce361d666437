import type { Env } from '../../platform/env.ts';
import type { Refused } from '../../platform/errors.ts';
import { randomHex } from '../../platform/hmac.ts';
import { attemptIdOf } from '../../platform/types.ts';
import { type CardAttemptCounter, counterNamesOf } from '../fraud/card-attempt-counter.ts';
import type { ReservedId } from '../fraud/reserved-id.ts';
import { isFinal } from '../purchase/attempt.ts';
import type { Attempt } from '../purchase/state.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';
import type { ChangeStorage } from '../subscriptions/change-storage.ts';
import { advanceAttempt } from './advance-attempt.ts';
import type { CouponRedemptions } from './coupon-redemptions.ts';
import {
  createAttempt,
  evaluatePurchase,
  type NewPurchase,
  type Purchase,
  retryAttempt,
} from './purchase-request.ts';
import { leaveBank } from './rules/return-from-bank.ts';

export type PurchaseResponse = { kind: 'accepted'; pollingId: string } | Refused;

interface Dependencies {
  storage: PurchaseStorage;
  changes: ChangeStorage;
  cardAttempts: CardAttemptCounter;
  redemptions: CouponRedemptions;
  nextId: ReservedId;
  /** Begins each polling id. */
  objectId: string;
  /** Sets the alarm to now. */
  wake(): Promise<void>;
}

/** Accepts an account's purchases: each becomes a new attempt, or answers with the one that occupies the slot. */
export class Checkout {
  readonly #own: Dependencies;

  constructor(own: Dependencies) {
    this.#own = own;
  }

  /** The same plan in an occupied slot returns the same polling id; another plan is refused. */
  async buy(purchase: Purchase, env: Env): Promise<PurchaseResponse> {
    const { storage, changes, cardAttempts, redemptions, nextId } = this.#own;
    nextId.setAccount(purchase.account);
    if (purchase.isVerified) storage.proveMailbox(false);
    for (let counted = attemptIdOf(''); ; ) {
      // Evaluated again after each wait, because another call may have changed the slot meanwhile.
      const decision = evaluatePurchase(storage, purchase, Date.now(), changes);
      if (decision.kind === 'refused') return decision;
      if (decision.kind === 'retry') return this.#retry(decision.attempt, purchase);
      if (decision.kind === 'leave') {
        const { id } = decision.attempt;
        storage.save(leaveBank(decision.attempt, Date.now()));
        await advanceAttempt(id, storage, env);
        const left = storage.attempt(id);
        // Its gateway does not answer, so that it may still be paid.
        if (left && !isFinal(left.state)) return this.#retry(left, purchase);
        continue;
      }
      const { coupon } = decision.purchase;
      const names = counterNamesOf(purchase);
      if ((names.length === 0 && !coupon?.limit) || counted === nextId.current)
        return this.#createAttempt(decision);
      counted = nextId.current;
      const cardRefusal = await cardAttempts.count(counted, names);
      const refusal = cardRefusal ?? (await redemptions.redeem(counted, coupon));
      if (refusal) return refusal;
    }
  }

  async #createAttempt(decided: NewPurchase): Promise<PurchaseResponse> {
    const { storage, cardAttempts, nextId, objectId, wake } = this.#own;
    const ids = { id: nextId.take(), pollingId: `${objectId}.${randomHex()}` };
    cardAttempts.markCounted(ids.id, counterNamesOf(decided.purchase));
    createAttempt(storage, decided, ids, Date.now());
    await wake();
    return { kind: 'accepted', pollingId: ids.pollingId };
  }

  async #retry(found: Attempt, purchase: Purchase): Promise<PurchaseResponse> {
    const { storage, objectId, wake } = this.#own;
    const retried = retryAttempt(storage, found, purchase, `${objectId}.${randomHex()}`);
    if (retried.kind === 'refused') return retried;
    if (retried.isResumed) await wake();
    return { kind: 'accepted', pollingId: retried.pollingId };
  }
}
