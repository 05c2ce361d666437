import type { SyncKvStorage } from '@cloudflare/workers-types';
import { endInvitations } from '../../invitations/invitation-index.ts';
import { withBindingTimeouts } from '../../platform/binding-timeouts.ts';
import type { Env } from '../../platform/env.ts';
import type { ErrorCode } from '../../platform/errors.ts';
import { logger, reasonOf } from '../../platform/log.ts';
import {
  type InvitationRight,
  invitationRefusal,
  invitationRightUntil,
} from '../purchase/invitation-right.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';
import type { ProductPlan } from './product-plan.ts';

const log = logger();
const sinceKey = 'invitation-right-since';
const endKey = 'invitations-end';

/** Compared with the subscriptions at each alarm, change and read, so that no end of a plan is missed. */
export class InvitationRights {
  readonly #kv: SyncKvStorage;
  readonly #storage: PurchaseStorage;
  readonly #product: ProductPlan;

  constructor(kv: SyncKvStorage, storage: PurchaseStorage, product: ProductPlan) {
    this.#kv = kv;
    this.#storage = storage;
    this.#product = product;
  }

  #refusal(now: number): ErrorCode | null {
    if (this.#storage.profile?.isDeleted) return 'main_plan_required';
    if (this.#product.until > now) return null;
    return invitationRefusal(this.#storage.subscriptions(), now);
  }

  /** A plan bought later revives nothing, because the right's start is stored. */
  update(now: number): InvitationRight & { hasEnded: boolean } {
    const refusal = this.#refusal(now);
    const since = this.#kv.get<number | null>(sinceKey);
    if (refusal === null) {
      // Undefined: a plan from before the start was stored.
      const start = since === undefined ? 0 : (since ?? now);
      if (start !== since) this.#kv.put(sinceKey, start);
      return { refusal, endedUntil: start - 1, hasEnded: false };
    }
    const hasEnded =
      since !== null && (since !== undefined || this.#storage.subscriptions().length > 0);
    if (since !== null) this.#kv.put(sinceKey, null);
    if (hasEnded) this.#kv.put(endKey, now);
    return { refusal, endedUntil: now, hasEnded };
  }

  /** Tells the invitees that the plan has ended. @returns false while one could not be told */
  async endInvitations(env: Env): Promise<boolean> {
    const until = this.#kv.get<number | null>(endKey) ?? null;
    const account = this.#storage.profile?.account || this.#product.account;
    if (until === null || !account) return true;
    try {
      await endInvitations(withBindingTimeouts(env), account, until);
    } catch (error) {
      log('warn', 'invitation_cleanup_failed', { account, reason: reasonOf(error) });
      return false;
    }
    // Another plan may have ended meanwhile.
    if (this.#kv.get(endKey) === until) this.#kv.delete(endKey);
    return true;
  }

  /** Ms since 1970; null for never. */
  dueAt(): number | null {
    const own = invitationRightUntil(this.#storage.subscriptions());
    const until = Math.max(own, this.#product.until);
    return this.#kv.get(sinceKey) != null && Number.isFinite(until) ? until : null;
  }
}
