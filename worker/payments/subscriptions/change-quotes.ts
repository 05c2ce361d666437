import { builtInCatalog } from '../../catalog/rules/catalog.ts';
import { changeTargets } from '../../catalog/rules/plan-options.ts';
import type { Plan } from '../../catalog/rules/plans.ts';
import { minuteMs } from '../../platform/durations.ts';
import type { Env } from '../../platform/env.ts';
import { type Refused, refused } from '../../platform/errors.ts';
import {
  type AttemptId,
  type EpochMs,
  epochMs,
  minor,
  type PaymentId,
} from '../../platform/types.ts';
import { chargeRequestOf, logAmbiguousResponse } from '../attempts/gateway-call.ts';
import { tooManyCardAttempts } from '../fraud/rules/card-limits.ts';
import { gatewayOf } from '../gateways/index.ts';
import type { ChangeKind, PlanChange, RunningPeriod } from '../purchase/change-state.ts';
import { netRows } from '../purchase/money-movements.ts';
import {
  changeMachine,
  changeTerms,
  confirmChange,
  isQuoteExpired,
} from '../purchase/plan-change.ts';
import { agreeableAt } from '../purchase/price-raise.ts';
import type { Subscription } from '../purchase/state.ts';
import { renews } from '../purchase/subscription.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';
import { type StoredChange, withPlanId } from '../storage/stored-records.ts';
import { findOwned } from './cancel-resume.ts';
import type { ChangeStorage } from './change-storage.ts';
import { agree } from './price-agreement.ts';
import { allows, changeOptions } from './rules/change-options.ts';

export interface RequestedChange {
  kind: ChangeKind;
  /** Defaults to the subscription's own plan. */
  plan: string | null;
  months: number;
  /** The plans to which it can change; a caller of an earlier build does not send them. */
  targets?: readonly Plan[];
}

export type QuoteResult =
  | { kind: 'quoted'; change: StoredChange }
  | Refused<'purchase_unknown' | 'change_not_possible' | 'change_in_progress' | 'unavailable'>;

export type ConfirmResult =
  | { kind: 'accepted'; change: StoredChange }
  | Refused<'quote_expired' | 'change_in_progress' | 'too_many_declines'>;

export interface Stores {
  storage: PurchaseStorage;
  changes: ChangeStorage;
}

/** The newest payment pays for the running period. No upgrade is offered once part of it was returned. */
function runningPeriod(
  storage: PurchaseStorage,
  { attempt, paidUntil, paidSince }: Subscription,
): (RunningPeriod & { credited: PaymentId[] }) | null {
  const captures = netRows(storage.rowsOf(attempt)).filter(({ kind }) => kind === 'capture');
  const newest = captures.toSorted((a, b) => b.at - a.at)[0];
  if (!newest || paidUntil === null) return null;
  // An upgrade's payment is worth what its own credit was, too.
  const isOfUpgrade = paidSince !== null && newest.at <= paidSince.at + minuteMs;
  const credited = [newest.paymentId, ...((isOfUpgrade && paidSince.credited) || [])];
  return { paid: newest.amount, from: newest.at, until: paidUntil, credited };
}

type Effect = Pick<PlanChange, 'kind' | 'takesEffectAt' | 'until' | 'next'> &
  Partial<Pick<PlanChange, 'amount' | 'credit' | 'credited'>> & { plan: Plan };

const newChange = (
  { attempt }: Subscription,
  {
    kind,
    plan,
    takesEffectAt,
    until,
    next,
    amount = minor(0),
    credit = minor(0),
    credited = [],
  }: Effect,
  now: EpochMs,
): PlanChange => ({
  ...{ id: crypto.randomUUID(), attempt, kind, plan, amount, credit },
  ...{
    takesEffectAt,
    until,
    next,
    credited,
    state: 'quoted',
    quotedAt: now,
    openedAt: now,
    dueAt: now,
  },
  ...{ sentAt: null, paymentId: null, tries: 0, caseAt: null, version: 0 },
  ...{ challenge: null, challengedAt: null, rounds: 0, nonce: null },
});

/** The yes to a higher price: the same as a switch to its version, from the renewal on that was announced. */
function quoteAgreement(
  { found, rows }: NonNullable<ReturnType<typeof findOwned>>,
  { kind, plan: wanted }: RequestedChange,
): PlanChange | null {
  const now = epochMs(Date.now());
  const { raise } = found;
  const at = agreeableAt(found, netRows(rows), now);
  if (kind !== 'switch' || !raise || raise.plan.id !== wanted || at === null) return null;
  const { plan, amount } = raise;
  const effect = { takesEffectAt: at, until: null, next: { amount, at } };
  return newChange(found, { kind: 'agree', plan, ...effect }, now);
}

/** Returns the effect and price of a change. Nothing happens until it is confirmed. */
export async function quoteChange(
  { storage, changes }: Stores,
  env: Env,
  id: AttemptId,
  request: RequestedChange,
): Promise<QuoteResult> {
  const owned = findOwned(storage, id);
  if (!owned || owned.profile.isDeleted) return refused('purchase_unknown');
  if (changes.pendingOf(id)) return refused('change_in_progress');
  const { found, attempt, profile, rows } = owned;
  const asked = quoteAgreement(owned, request);
  if (asked) {
    changes.save(asked);
    return { kind: 'quoted', change: withPlanId(asked) };
  }
  const { targets = changeTargets(builtInCatalog, found.plan.currency) } = request;
  const plan = request.plan ? targets.find(({ id }) => id === request.plan) : found.plan;
  // Whole seconds, as Stripe's prorations are.
  const now = epochMs(Math.floor(Date.now() / 1000) * 1000);
  if (!plan) return refused('change_not_possible');
  const options = changeOptions({ subscription: found, rows: netRows(rows), targets }, now);
  const terms = { kind: request.kind, plan, months: request.months };
  if (!allows(options, terms)) return refused('change_not_possible');
  const { due, ...effect } = changeTerms(found, terms, attempt.coupon, now);
  const running = runningPeriod(storage, found);
  let price: Pick<PlanChange, 'amount' | 'credit' | 'credited'> = {
    amount: due,
    credit: minor(0),
  };
  if (request.kind === 'upgrade') {
    if (!running) return refused('change_not_possible');
    try {
      const gateway = await gatewayOf(found.gateway, env);
      const charge = chargeRequestOf(storage, attempt, profile);
      const quote = await gateway.quote(charge, plan, now, running);
      price = { ...quote, credited: running.credited };
    } catch (error) {
      logAmbiguousResponse(error, { vendor: found.gateway, attempt: id });
      return refused('unavailable');
    }
  }
  const change = newChange(found, { kind: request.kind, plan, ...effect, ...price }, now);
  changes.save(change);
  return { kind: 'quoted', change: withPlanId(change) };
}

/** Renewing extras pause with their plan, and end a pause that has not begun with it. */
function changesOfExtras({ storage }: Stores, change: PlanChange, now: number): PlanChange[] {
  const { kind, until, amount } = change;
  const slot = storage.subscription(change.attempt)?.slot;
  if (amount > 0 || !until || (kind !== 'pause' && kind !== 'resume')) return [];
  return storage.subscriptions().flatMap((extra) => {
    const { plan } = extra;
    const isPaused = extra.pausesUntil !== null;
    const runs = extra.subscriptionId && renews(extra) && (extra.paidUntil ?? until) < until;
    if (!runs || plan.dependsOn !== slot || isPaused !== (kind === 'resume')) return [];
    const coupon = storage.attempt(extra.attempt)?.coupon ?? null;
    const { next, takesEffectAt } = changeTerms(extra, { kind, plan, months: 0 }, coupon, now);
    const at = kind === 'pause' ? until : next.at;
    return {
      ...change,
      ...{ id: crypto.randomUUID(), attempt: extra.attempt, plan, takesEffectAt },
      next: { ...next, at },
    };
  });
}

function isStillPossible(
  storage: PurchaseStorage,
  subscription: Subscription,
  { kind, plan }: PlanChange,
  now: number,
): boolean {
  const rows = netRows(storage.rowsOf(subscription.attempt));
  return allows(changeOptions({ subscription, rows, targets: [plan] }, now), {
    kind,
    plan,
    months: 1,
  });
}

/** Idempotent. @param nonce verified by the bank, for a change that it challenged */
export function confirmQuote(
  { storage, changes }: Stores,
  id: AttemptId,
  change: string,
  nonce: string | null,
): ConfirmResult {
  const now = Date.now();
  const found = changes.get(change);
  if (!found || found.attempt !== id) return refused('quote_expired');
  if (found.state !== 'quoted') {
    const resumed = changeMachine.resume(found, nonce, now);
    if (resumed !== found) changes.save(resumed);
    return { kind: 'accepted', change: withPlanId(resumed) };
  }
  const subscription = storage.subscription(id);
  if (isQuoteExpired(found, now) || !subscription || storage.profile?.isDeleted)
    return refused('quote_expired');
  if (changes.pendingOf(id)) return refused('change_in_progress');
  if (found.kind === 'agree') {
    if (!agree(storage, id, found.takesEffectAt)) return refused('quote_expired');
    const given: PlanChange = { ...found, state: 'done', openedAt: now };
    changes.save(given);
    return { kind: 'accepted', change: withPlanId(given) };
  }
  if (!isStillPossible(storage, subscription, found, now)) return refused('quote_expired');
  if (found.amount > 0 && tooManyCardAttempts(changes.cardAttempts(), now))
    return refused('too_many_declines');
  const opened = confirmChange(found, now);
  changes.save(opened);
  const { amount } = opened;
  if (amount > 0) storage.announced.agree(id, { amount, at: epochMs(now), by: opened.id });
  for (const extra of changesOfExtras({ storage, changes }, opened, now)) changes.save(extra);
  return { kind: 'accepted', change: withPlanId(opened) };
}

/**
 * Opens a change that the account needs and nobody quoted: `continue` undoes a cancellation where the gateway needs a
 * new subscription for it, `restart` follows a late payment, `raise` a notice or a yes. Idempotent.
 */
export function openOwnChange(
  { storage, changes }: Stores,
  found: Subscription,
  kind: 'continue' | 'restart' | 'raise',
  plan = found.plan,
): PlanChange {
  const pending = changes.pendingOf(found.attempt);
  if (pending) return pending;
  const now = epochMs(Date.now());
  const coupon = storage.attempt(found.attempt)?.coupon ?? null;
  const terms = changeTerms(found, { kind, plan, months: 0 }, coupon, now);
  const change = newChange(found, { kind, plan, ...terms }, now);
  changes.save(confirmChange(change, now));
  return change;
}
