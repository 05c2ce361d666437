import type { SyncKvStorage } from '@cloudflare/workers-types';
import type { Env } from '../platform/env.ts';
import { reportToMonitor } from '../platform/log-counts.ts';
import type { AttemptId } from '../platform/types.ts';
import { advanceAttempt } from './attempts/advance-attempt.ts';
import { shareBounces } from './attempts/bounced-debits.ts';
import type { CouponRedemptions } from './attempts/coupon-redemptions.ts';
import { cancelAbandoned } from './attempts/failover.ts';
import { releaseUnusedIntros } from './attempts/intro-limit.ts';
import type { CardAttemptCounter } from './fraud/card-attempt-counter.ts';
import type { ReservedId } from './fraud/reserved-id.ts';
import { listBuyer } from './ledger/buyer-index.ts';
import type { EntitlementRecord } from './storage/entitlement-record.ts';
import { flushOutbox } from './storage/outbox.ts';
import type { PurchaseStorage } from './storage/purchase-storage.ts';
import type { CardUpdates } from './subscriptions/card-updates.ts';
import { forgetElsewhere, isErasing } from './subscriptions/forget-account.ts';
import type { InvitationRights } from './subscriptions/invitation-rights.ts';
import type { SubscriptionJobs } from './subscriptions/subscription-jobs.ts';

const projectionRetryMs = 30_000;

interface Parts {
  kv: SyncKvStorage;
  storage: PurchaseStorage;
  cardAttempts: CardAttemptCounter;
  cards: CardUpdates;
  jobs: SubscriptionJobs;
  entitlements: EntitlementRecord;
  invitationRights: InvitationRights;
  redemptions: CouponRedemptions;
  nextId: ReservedId;
}

/** What an account's alarm does: payments go on, dates are met, and other objects, D1 and queues learn of it. */
export class DueWork {
  readonly #parts: Parts;
  #isDone = false;
  #times: (number | null | undefined)[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async run(env: Env): Promise<void> {
    const { storage, cards, jobs, entitlements, invitationRights } = this.#parts;
    const { cardAttempts, redemptions, nextId } = this.#parts;
    // Also before the work, so that an end is noticed although the work buys or renews a plan.
    invitationRights.update(Date.now());
    const listing = listBuyer(this.#parts.kv, storage, env);
    for (const { id } of storage.pendingAttempts()) await advanceAttempt(id, storage, env);
    for (const part of [cards, jobs]) await part.runDue();
    const eraseAt = await forgetElsewhere(storage, env);
    entitlements.update(Date.now());
    invitationRights.update(Date.now());
    const invitationsEnded = await invitationRights.endInvitations(env);
    const delivered = await flushOutbox(storage, env);
    const attemptOf = (id: AttemptId) => storage.attempt(id);
    await cardAttempts.reportResults((id) => attemptOf(id) ?? cards.attempt(id));
    const redemptionsAt = await redemptions.releaseUnused(attemptOf, nextId.current);
    const released = await releaseUnusedIntros(storage, env);
    const shared = await shareBounces(storage, env);
    const abandonedAt = await cancelAbandoned(storage, env);
    await reportToMonitor(env, true);
    this.#isDone = (await listing) && delivered && released && shared && invitationsEnded;
    this.#times = [redemptionsAt, abandonedAt, eraseAt];
  }

  /** When there is work again, ms since 1970; null for never. */
  dueAt(): number | null {
    const { storage, jobs, cards, entitlements, invitationRights } = this.#parts;
    const [redemptionsAt, abandonedAt, eraseAt] = this.#times;
    const due = storage.pendingAttempts().map((attempt) => attempt.dueAt);
    if (!this.#isDone) due.push(Date.now() + projectionRetryMs);
    // Entries queued during the work are due at once: they may have set the alarm that is replaced here.
    else if (storage.outbox.next().length > 0) due.push(Date.now());
    if (isErasing(storage)) due.push(eraseAt ?? Date.now());
    const parts = [jobs, cards, entitlements, invitationRights];
    const times = [...parts.map((part) => part.dueAt()), redemptionsAt, abandonedAt];
    due.push(...times.flatMap((at) => at ?? []));
    return due.length > 0 ? Math.min(...due) : null;
  }
}
