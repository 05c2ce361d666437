import { renewalPrice } from '../../catalog/rules/plans.ts';
import { resend } from '../../email/resend.ts';
import type { Env } from '../../platform/env.ts';
import { logger } from '../../platform/log.ts';
import { syntheticArm } from '../../platform/log-counts.ts';
import type { AttemptId, EpochMs, Minor } from '../../platform/types.ts';
import { keptPriceNotice, raiseNotice, raiseNoticeId } from '../notices/price-notices.ts';
import { netRows } from '../purchase/money-movements.ts';
import {
  delivered,
  isOpen,
  type NotRaised,
  newRaise,
  noticed,
  type RaiseTerms,
  raiseStep,
  rescheduled,
  scheduled,
  stopped,
  waiting,
} from '../purchase/price-raise.ts';
import type { Raise, StopReason } from '../purchase/renewal-state.ts';
import type { SentNotice } from '../purchase/required-notice.ts';
import type { GatewayName, Subscription } from '../purchase/state.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';
import { openOwnChange, type Stores } from './change-quotes.ts';
import { saveRaise } from './price-agreement.ts';

const log = logger();

/** A subscription of the product, in the list before the start and in the report after it. Times in ms since 1970. */
export interface RaiseRow {
  attempt: AttemptId;
  gateway: GatewayName;
  plan: string;
  currency: string;
  /** `new`: not announced yet. Otherwise the raise's state, or why there is none. */
  state: 'new' | Raise['state'] | NotRaised;
  why: StopReason | null;
  needsYes: boolean;
  /** What a renewal costs now and after the raise, in minor units. */
  before: Minor;
  after: Minor | null;
  at: EpochMs | null;
}

export interface RaiseCommand extends RaiseTerms {
  isStart: boolean;
}

function stateOf(raise: Raise | null, plans: RaiseTerms['plans'], why: NotRaised) {
  const isToIt = raise !== null && plans.some(({ id }) => id === raise.plan.id);
  return isToIt ? raise.state : why;
}

/** Only lists, unless `isStart`. A raise that is under way or applied stays: a repeated command announces nothing twice. */
export function raisePrices(
  { storage, changes }: Stores,
  { isStart, ...terms }: RaiseCommand,
): RaiseRow[] {
  const isTest = storage.attempts().some(({ arm }) => arm === syntheticArm);
  if (isTest || storage.profile?.isDeleted) return [];
  const now = Date.now();
  return storage.subscriptions().flatMap((found): RaiseRow[] => {
    const owned = storage.attempt(found.attempt);
    const rows = netRows(storage.rowsOf(found.attempt));
    const made = owned && newRaise(found, rows, owned.coupon, terms, now);
    if (!owned || !made) return [];
    const { attempt, gateway, plan } = found;
    const isChanging = changes.pendingOf(attempt) !== undefined;
    const fresh = typeof made === 'object' && !isChanging ? made : null;
    if (isStart && fresh) {
      saveRaise(storage, found, fresh.raise);
      storage.notify(attempt, raiseNotice(owned, found, fresh.raise, fresh.first, now));
    }
    const raise = fresh?.raise ?? found.raise;
    const reason = typeof made === 'object' ? 'changing' : made;
    const state = fresh
      ? isStart
        ? 'announced'
        : 'new'
      : stateOf(found.raise, terms.plans, reason);
    const { why = null, needsYes = terms.needsYes, amount = null, at = null } = raise ?? {};
    const before = renewalPrice(plan, owned.coupon);
    return [
      {
        ...{ attempt, gateway, plan: plan.id, currency: plan.currency },
        ...{ state, why, needsYes, before, after: amount, at },
      },
    ];
  });
}

const forOperators: readonly StopReason[] = ['unnotified', 'gateway'];

function stop(storage: PurchaseStorage, found: Subscription, raise: Raise): void {
  const { attempt: id, gateway } = found;
  const { why, announcedAt } = raise;
  saveRaise(storage, found, raise);
  const attempt = storage.attempt(id);
  const account = storage.profile?.account;
  if (!attempt || !account || why === null) return;
  log('warn', 'price_raise_stopped', { attempt: id, vendor: gateway, reason: why });
  storage.notify(id, keptPriceNotice(attempt, found, raise, Date.now()));
  if (!forOperators.includes(why)) return;
  const reason = why === 'gateway' ? 'price not raised' : 'price notice not delivered';
  const about = { attempt: id, account, gateway, since: announcedAt, isOpen: true, at: Date.now() };
  storage.queue({ kind: 'operator_case', operatorCase: { ...about, reason } });
}

function saveOrStop(storage: PurchaseStorage, found: Subscription, raise: Raise): void {
  if (raise.state === 'stopped') stop(storage, found, raise);
  else if (raise !== found.raise) saveRaise(storage, found, raise);
}

/** Idempotent; a notice of an earlier raise changes nothing. */
export function recordPriceNotice(
  storage: PurchaseStorage,
  { id, isSent, mailId }: SentNotice,
): void {
  for (const found of storage.subscriptions()) {
    const { raise, attempt } = found;
    if (isOpen(raise) && raiseNoticeId(attempt, raise) === id)
      saveOrStop(storage, found, noticed(raise, mailId, isSent, Date.now()));
  }
}

/** Tries a change again that the gateway refused, or that was never sent. */
export function retryRaises({ storage, changes }: Stores): void {
  for (const found of storage.subscriptions()) {
    const { raise } = found;
    if (!isOpen(raise) || raise.changeId === null) continue;
    const state = changes.get(raise.changeId)?.state;
    const isRefused = state === 'failed' || state === 'declined';
    if (raise.state === 'scheduled' && isRefused)
      saveRaise(storage, found, rescheduled(raise, Date.now()));
  }
}

async function check(storage: PurchaseStorage, env: Env, found: Subscription, raise: Raise) {
  const hasBounced = raise.mailId === null ? null : await resend(env).hasBounced(raise.mailId);
  // Read again: its owner may have cancelled while the vendor was asked.
  const current = storage.subscription(found.attempt);
  if (!current || !isOpen(current.raise)) return;
  saveOrStop(storage, current, delivered(current.raise, hasBounced, Date.now()));
}

function schedule(stores: Stores, found: Subscription, raise: Raise): void {
  const { storage, changes } = stores;
  if (changes.pendingOf(found.attempt))
    return void saveRaise(storage, found, rescheduled(raise, Date.now()));
  const { id } = openOwnChange(stores, found, 'raise', raise.plan);
  saveRaise(storage, found, scheduled(raise, id));
}

export async function advanceRaises(stores: Stores, env: Env): Promise<void> {
  const { storage } = stores;
  for (const { attempt } of storage.subscriptions()) {
    const found = storage.subscription(attempt);
    const raise = found?.raise ?? null;
    if (!found || !isOpen(raise)) continue;
    const step = raiseStep(found, netRows(storage.rowsOf(attempt)), Date.now());
    if (step === 'check') await check(storage, env, found, raise);
    else if (step === 'wait') saveRaise(storage, found, waiting(raise, Date.now()));
    else if (step === 'schedule') schedule(stores, found, raise);
    else if (step) stop(storage, found, stopped(raise, step.stop));
  }
}
