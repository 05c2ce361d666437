import { hourMs } from '../../platform/durations.ts';
import type { Env } from '../../platform/env.ts';
import { Unavailable } from '../../platform/errors.ts';
import { logger, reasonOf } from '../../platform/log.ts';
import { textIn } from '../../platform/read-json.ts';
import { type AttemptId, accountIdOf } from '../../platform/types.ts';
import { gatewayOf } from '../gateways/index.ts';
import { failureNotice } from '../notices/card-notices.ts';
import { refundNotice } from '../notices/money-notices.ts';
import { cancellationNotice } from '../notices/subscription-notices.ts';
import { type AttemptProgress, applyProgress, type GatewayStep } from '../purchase/attempt.ts';
import { canBeRerouted } from '../purchase/failover.ts';
import type { ChargeRequest, Gateway } from '../purchase/gateway.ts';
import { movementsOf, reversalRows } from '../purchase/money-movements.ts';
import type { Attempt, GatewayOutcome, Statement, Subscription } from '../purchase/state.ts';
import { accessUntil, applyStatement, scheduleSync } from '../purchase/subscription.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';
import { endExtras } from '../subscriptions/cancel-resume.ts';
import { followDebits } from './bounced-debits.ts';
import { watchCall } from './circuits.ts';
import { chargeRefusal } from './intro-limit.ts';
import type { Profile } from './profile.ts';

const log = logger();

/** Logs the kind of the error without its message, which may quote our request. */
export function logAmbiguousResponse(
  error: unknown,
  context: { vendor?: string; attempt?: AttemptId } = {},
): void {
  const reason = textIn(error, 'type') ?? reasonOf(error);
  log('warn', 'gateway_ambiguous', { ...context, reason, code: textIn(error, 'code') });
}

export function chargeRequestOf(
  storage: PurchaseStorage,
  attempt: Attempt,
  profile: Profile,
): ChargeRequest {
  const { account, email, customers } = profile;
  const { customerId = '', methodId = null } = customers[attempt.gateway] ?? {};
  const record = (progress: AttemptProgress) =>
    storage.save(applyProgress(storage.attempt(attempt.id) ?? attempt, progress));
  const owned = storage.subscription(attempt.id);
  const captures = storage.rowsOf(attempt.id).filter(({ kind }) => kind === 'capture');
  const captured = captures.map(({ paymentId }) => paymentId);
  return { attempt, account, email, customerId, methodId, owned, captured, record };
}

const rejected = (reason: string): GatewayOutcome => ({ kind: 'rejected', reason });

/** Stored before anything is charged to the customer, so that a charge can always be found again. */
async function createCustomer(
  gateway: Gateway,
  { gateway: name }: Attempt,
  storage: PurchaseStorage,
) {
  const { account = accountIdOf(''), email = '' } = storage.profile ?? {};
  const customerId = await gateway.customer(account, email);
  if (customerId) storage.saveCustomer(name, { customerId, methodId: null });
  return customerId;
}

async function runStep(
  step: GatewayStep,
  { attempt, profile, signal }: { attempt: Attempt; profile: Profile; signal?: AbortSignal },
  storage: PurchaseStorage,
  env: Env,
): Promise<GatewayOutcome> {
  const gateway = await gatewayOf(attempt.gateway, env, signal);
  const stored = chargeRequestOf(storage, attempt, profile);
  // Nothing is ever charged to a customer that is not stored here.
  if (!stored.customerId && step === 'lookUp') return { kind: 'none' };
  if (!stored.customerId && step === 'cancelUnpaid') return rejected('never sent');
  const customerId = stored.customerId || (await createCustomer(gateway, attempt, storage));
  if (!customerId) return rejected('customer refused');
  const request = { ...stored, customerId };
  const refusal = step === 'charge' ? await chargeRefusal(attempt, gateway, storage, env) : null;
  if (refusal) {
    // An earlier charge of this attempt, with another card, may have been paid after all.
    const wasSent = attempt.challengedAt !== null;
    const cancelled = wasSent ? await gateway.cancelUnpaid(request) : null;
    if (cancelled && cancelled.kind !== 'rejected') return cancelled;
    return { kind: 'rejected', reason: refusal.replaceAll('_', ' '), refusal };
  }
  const outcome = await gateway[step](request);
  const isRefused = outcome.kind === 'declined' || outcome.kind === 'rejected';
  // A look-up changes nothing: only after `cancelUnpaid` can the payment never be made.
  return step === 'lookUp' && isRefused ? gateway.cancelUnpaid(request) : outcome;
}

/** A failure of our own storage says nothing about the outcome at the gateway. */
function outcomeOfFailure(error: unknown, step: GatewayStep, attempt: Attempt): GatewayOutcome {
  const isOurs = error instanceof Unavailable;
  if (isOurs || step !== 'charge' || attempt.chargedAt !== null) return { kind: 'unknown' };
  return { kind: 'unavailable', reason: reasonOf(error) };
}

/** Runs one step of an attempt at its gateway. Without an answer the outcome is `unknown`; never throws. */
export async function callGateway(
  step: GatewayStep,
  attempt: Attempt,
  storage: PurchaseStorage,
  env: Env,
): Promise<GatewayOutcome> {
  const { profile } = storage;
  if (!profile) return { kind: 'unknown' };
  const leaving = new AbortController();
  const end = watchCall(attempt, env, () => {
    // A possible charge is waited for, because its outcome would have to be looked up anyway.
    if (canBeRerouted(storage.attempt(attempt.id) ?? attempt)) leaving.abort();
  });
  const call = { attempt, profile, ...(attempt.others.length > 0 && { signal: leaving.signal }) };
  try {
    const outcome = await runStep(step, call, storage, env);
    // Reads may succeed while payments fail.
    const isPayment = step === 'charge';
    await end(outcome.kind === 'unavailable' ? false : isPayment || null);
    return outcome;
  } catch (error) {
    logAmbiguousResponse(error, { vendor: attempt.gateway, attempt: attempt.id });
    await end(error instanceof Unavailable ? null : false);
    return outcomeOfFailure(error, step, storage.attempt(attempt.id) ?? attempt);
  }
}

/** Records money taken for something that then failed, and notifies the owner of the refund. */
export function recordReversal(
  storage: PurchaseStorage,
  attempt: Attempt,
  reversed: Pick<Statement, 'captures' | 'refunds'>,
): void {
  const rows = storage.recordMovements(attempt, movementsOf({ ...reversed, disputes: [] }));
  if (storage.profile?.isDeleted) return;
  for (const row of rows.filter(({ kind }) => kind === 'refund'))
    storage.notify(attempt.id, refundNotice(attempt, row, { bought: false }));
}

/** Reads a subscription's state from the gateway. @throws when it does not respond */
export async function syncSubscription(
  found: Subscription,
  storage: PurchaseStorage,
  env: Env,
): Promise<void> {
  const gateway = await gatewayOf(found.gateway, env);
  const attempt = storage.attempt(found.attempt);
  const { profile } = storage;
  if (!attempt || !profile || found.isProvisional) return;
  const request = chargeRequestOf(storage, attempt, profile);
  const statement = await gateway.statement(request);
  const waitsForMoney = await followDebits(found, statement, storage, env);
  // Read again: its owner may have cancelled while the gateway was called.
  const before = storage.subscription(found.attempt) ?? found;
  const { subscription, movements, notice } = applyStatement(
    { ...before, waitsForMoney },
    statement,
    Date.now(),
    attempt.terms?.timeZone,
  );
  const reversals = reversalRows(storage.rowsOf(attempt.id), movements, Date.now());
  for (const { kind } of reversals) {
    log('error', 'ledger_corrected', { attempt: attempt.id, reason: kind });
  }
  storage.saveSubscription(subscription, [...movements, ...reversals]);
  if (statement.givenUpAt && before.status !== 'ended' && !profile.isDeleted)
    storage.notify(attempt.id, cancellationNotice(attempt, subscription, Date.now()));
  const { failure } = subscription;
  if (notice && failure && !profile.isDeleted) {
    const until = subscription.pausesUntil === null ? accessUntil(subscription) : null;
    const failed = { ...failure, step: notice, until };
    const bought = { ...attempt, plan: subscription.plan };
    storage.notify(attempt.id, failureNotice(bought, failed, Date.now()));
  }
  endExtras(storage);
  const { reduction } = attempt;
  if (!reduction || statement.captures.length <= reduction.renewals) return;
  await gateway.endReduction?.(request).catch((error) => {
    logAmbiguousResponse(error, { vendor: attempt.gateway, attempt: attempt.id });
    const current = storage.subscription(attempt.id) ?? subscription;
    storage.saveSubscription(scheduleSync(current, Date.now() + hourMs));
  });
}
