import { planById } from '../catalog/plans.ts';
import type { Env } from '../env.ts';
import { logger } from '../log.ts';
import { callGateway } from './gateway-call.ts';
import type { PurchaseStorage } from './purchase-storage.ts';
import { keep } from './record-success.ts';
import {
  type Attempt,
  applyOutcome,
  type GatewayOutcome,
  isFinal,
  markFailed,
  nextStep,
} from './rules/attempt.ts';
import { movementsOf } from './rules/subscription.ts';
import { followPlan } from './subscription-changes.ts';

const log = logger();

/** Tells operators of money that was captured and bought nothing: what was given back, what was not. */
function tellOfLostMoney(
  after: Attempt,
  outcome: GatewayOutcome,
  ledger: PurchaseStorage,
  account: string,
): void {
  if (outcome.kind !== 'rejected') return;
  const { id: attempt, plan, gateway } = after;
  const { reason, taken, undone = { captures: [], refunds: [] } } = outcome;
  const currency = planById(plan)?.currency ?? '';
  const tell = (payment: string, amount: number, state: 'kept' | 'returned') => {
    const money = { attempt, payment, amount, currency };
    log('error', 'captured_without_purchase', { ...money, vendor: gateway, reason, state });
    if (state === 'kept') ledger.setKeptMoney({ ...money, account, gateway }, Date.now());
  };
  if (taken) tell(taken.paymentId, taken.amount, 'kept');
  for (const { paymentId, amount } of undone.captures) {
    const back = undone.refunds.filter((refund) => refund.paymentId === paymentId);
    const returned = back.reduce((sum, refund) => sum + refund.amount, 0);
    tell(paymentId, amount, returned < amount ? 'kept' : 'returned');
  }
}

/** Hands an outcome that is unknown for too long to operators, and takes it back once it is known. */
function followCase(
  before: Attempt,
  after: Attempt,
  ledger: PurchaseStorage,
  account: string,
): void {
  const { id: attempt, gateway, openedAt: since, caseAt } = after;
  const isOpen = !isFinal(after.state);
  if (caseAt === null || (isOpen && caseAt === before.caseAt)) return;
  const state = isOpen ? 'open' : 'resolved';
  log(isOpen ? 'error' : 'info', 'outcome_unknown', { attempt, vendor: gateway, state });
  ledger.setCase({ attempt, account, gateway, since, isOpen }, Date.now());
}

/** Takes an attempt its next steps, until it waits for a moment, for somebody, or for nothing more. */
export async function advanceAttempt(id: string, ledger: PurchaseStorage, env: Env): Promise<void> {
  const account = ledger.profile?.account;
  const found = ledger.attempt(id);
  if (!account || !found || found.dueAt > Date.now()) return;
  const step = nextStep(found, Date.now());
  if (step === 'nothing') return;
  if (step === 'fail') return ledger.save(markFailed(found), account, Date.now());
  const outcome = await callGateway(step, found, ledger, env);
  const before = ledger.attempt(id) ?? found;
  const moved = applyOutcome(before, outcome, Date.now());
  ledger.save(moved, account, Date.now());
  if (outcome.kind === 'rejected' && outcome.undone) {
    ledger.write(moved, movementsOf({ ...outcome.undone, disputes: [] }), account, Date.now());
  }
  followCase(before, moved, ledger, account);
  if (moved.state === 'active') {
    keep(ledger, moved, account, Date.now());
    followPlan(ledger, moved);
  }
  const reason = outcome.kind === 'rejected' ? outcome.reason : outcome.kind;
  log('info', 'purchase', { attempt: id, state: moved.state, reason });
  tellOfLostMoney(moved, outcome, ledger, account);
  if (!isFinal(moved.state) && moved.dueAt <= Date.now()) await advanceAttempt(id, ledger, env);
}
