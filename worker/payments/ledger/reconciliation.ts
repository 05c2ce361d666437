import type { Env } from '../../platform/env.ts';
import type { AttemptId } from '../../platform/types.ts';
import { chargeRequestOf, logAmbiguousResponse } from '../attempts/gateway-call.ts';
import type { Profile } from '../attempts/profile.ts';
import { gatewayOf } from '../gateways/index.ts';
import { isFinal } from '../purchase/attempt.ts';
import type { ChargeRequest } from '../purchase/gateway.ts';
import {
  entriesOf,
  type MoneyEntry,
  movementIdOf,
  netRows,
  type ReconciliationLine,
  sideBySide,
} from '../purchase/money-movements.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';

export interface Reconciliation {
  lines: ReconciliationLine[];
  pending: string[];
  unread: AttemptId[];
}

async function capturesOf(
  request: ChargeRequest,
  profile: Profile,
  env: Env,
): Promise<MoneyEntry[]> {
  const { attempt } = request;
  if (!profile.customers[attempt.gateway]) return [];
  const gateway = await gatewayOf(attempt.gateway, env);
  const outcome = await gateway.lookUp(request);
  if (outcome.kind === 'rejected' && outcome.reversed) {
    return entriesOf(attempt.id, { ...outcome.reversed, disputes: [] });
  }
  const keptCapture = outcome.kind === 'rejected' ? outcome.keptCapture : undefined;
  const captured = outcome.kind === 'active' ? outcome.charge : keptCapture;
  if (!captured) return [];
  return [{ id: `capture:${captured.paymentId}`, attempt: attempt.id, amount: captured.amount }];
}

async function providerOf(
  request: ChargeRequest,
  profile: Profile,
  env: Env,
): Promise<MoneyEntry[] | null> {
  const { id, gateway, state } = request.attempt;
  try {
    if (state !== 'active') return await capturesOf(request, profile, env);
    const provider = await gatewayOf(gateway, env);
    return entriesOf(id, await provider.statement(request));
  } catch (error) {
    logAmbiguousResponse(error, { vendor: gateway, attempt: id });
    return null;
  }
}

export async function reconcile(storage: PurchaseStorage, env: Env): Promise<Reconciliation> {
  const { profile } = storage;
  if (!profile) return { lines: [], pending: [], unread: [] };
  const lines: ReconciliationLine[] = [];
  const unread: AttemptId[] = [];
  for (const attempt of storage.attempts()) {
    const { id, gateway, plan, state } = attempt;
    if (!isFinal(state)) continue;
    const provider = await providerOf(chargeRequestOf(storage, attempt, profile), profile, env);
    if (!provider) {
      unread.push(id);
      continue;
    }
    const own = netRows(storage.rowsOf(id));
    lines.push(...sideBySide({ attempt: id, gateway, currency: plan.currency }, own, provider));
  }
  return { lines, pending: storage.outbox.unprojectedRows().map(movementIdOf), unread };
}
