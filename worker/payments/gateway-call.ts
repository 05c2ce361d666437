import type { Env } from '../env.ts';
import { logger } from '../log.ts';
import { endExtras } from './cancel-resume.ts';
import { gatewayOf } from './gateways/index.ts';
import { chargeRefusal } from './intro-limit.ts';
import type { Profile, PurchaseStorage } from './purchase-storage.ts';
import {
  type Attempt,
  applyProgress,
  type GatewayName,
  type GatewayOutcome,
  type Progress,
  type Step,
} from './rules/attempt.ts';
import type { ChargeRequest } from './rules/gateway.ts';
import { reversalRows } from './rules/money-movements.ts';
import { applyStatement, type Subscription } from './rules/subscription.ts';

const log = logger();

/** Logs the kind of the error without its message, which may quote what was sent. */
export function logAmbiguousResponse(
  error: unknown,
  context: { vendor?: string; attempt?: string } = {},
): void {
  const known = error instanceof Error ? error : new Error();
  const { type = known.name, code } = known as { type?: string; code?: string };
  log('warn', 'gateway_ambiguous', { ...context, reason: type, code });
}

export function chargeRequestOf(
  ledger: PurchaseStorage,
  attempt: Attempt,
  profile: Profile,
): ChargeRequest {
  const { account, email, customers } = profile;
  const { customerId = '', methodId = null } = customers[attempt.gateway] ?? {};
  const record = (progress: Progress) =>
    ledger.save(applyProgress(ledger.attempt(attempt.id) ?? attempt, progress));
  return { attempt, account, email, customerId, methodId, record };
}

const rejected = (reason: string): GatewayOutcome => ({ kind: 'rejected', reason });

/** Stored before anything is charged to the customer, so that a charge can always be found again. */
async function createCustomer(name: GatewayName, ledger: PurchaseStorage, env: Env) {
  const gateway = await gatewayOf(name, env);
  const { account = '', email = '' } = ledger.profile ?? {};
  const customerId = await gateway.customer(account, email);
  if (customerId) ledger.saveCustomer(name, { customerId, methodId: null });
  return customerId;
}

type GatewayStep = Extract<Step, 'charge' | 'lookUp' | 'cancelUnpaid'>;

async function runStep(
  step: GatewayStep,
  attempt: Attempt,
  profile: Profile,
  ledger: PurchaseStorage,
  env: Env,
): Promise<GatewayOutcome> {
  const gateway = await gatewayOf(attempt.gateway, env);
  const stored = chargeRequestOf(ledger, attempt, profile);
  // Nothing is ever charged to a customer that is not stored here.
  if (!stored.customerId && step === 'lookUp') return { kind: 'none' };
  if (!stored.customerId && step === 'cancelUnpaid') return rejected('never sent');
  const customerId = stored.customerId || (await createCustomer(attempt.gateway, ledger, env));
  if (!customerId) return rejected('customer refused');
  const request = { ...stored, customerId };
  const refusal = step === 'charge' ? await chargeRefusal(attempt, gateway, ledger, env) : null;
  if (refusal) {
    // An earlier charge of this attempt, with another card, may have been paid all the same.
    const wasSent = attempt.challengedAt !== null;
    const cancelled = wasSent ? await gateway.cancelUnpaid(request) : null;
    if (cancelled && cancelled.kind !== 'rejected') return cancelled;
    const reason = refusal === 'intro_used' ? 'intro used' : 'full price only';
    return { kind: 'rejected', reason, refusal };
  }
  const outcome = await gateway[step](request);
  const isRefused = outcome.kind === 'declined' || outcome.kind === 'rejected';
  // A look-up changes nothing: only after `cancelUnpaid` can the payment never be made.
  return step === 'lookUp' && isRefused ? gateway.cancelUnpaid(request) : outcome;
}

/** Runs one step of an attempt at its gateway. Without an answer the outcome is `unknown`; never throws. */
export async function callGateway(
  step: GatewayStep,
  attempt: Attempt,
  ledger: PurchaseStorage,
  env: Env,
): Promise<GatewayOutcome> {
  const { profile } = ledger;
  if (!profile) return { kind: 'unknown' };
  try {
    return await runStep(step, attempt, profile, ledger, env);
  } catch (error) {
    logAmbiguousResponse(error, { vendor: attempt.gateway, attempt: attempt.id });
    return { kind: 'unknown' };
  }
}

/** Reads what the gateway says of a subscription. @throws when it does not answer */
export async function syncSubscription(
  found: Subscription,
  ledger: PurchaseStorage,
  env: Env,
): Promise<void> {
  const gateway = await gatewayOf(found.gateway, env);
  const attempt = ledger.attempt(found.attempt);
  const { profile } = ledger;
  if (!attempt || !profile) return;
  const statement = await gateway.statement(chargeRequestOf(ledger, attempt, profile));
  // Read again: its owner may have cancelled while the gateway was called.
  const { subscription, movements } = applyStatement(
    ledger.subscription(found.attempt) ?? found,
    statement,
    Date.now(),
  );
  const reversals = reversalRows(ledger.rowsOf(attempt.id), movements, Date.now());
  for (const { kind } of reversals) {
    log('error', 'ledger_corrected', { attempt: attempt.id, reason: kind });
  }
  ledger.saveSubscription(subscription, [...movements, ...reversals]);
  endExtras(ledger);
}
