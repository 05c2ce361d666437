import { minuteMs } from '../../platform/durations.ts';
import type { Env } from '../../platform/env.ts';
import { logger } from '../../platform/log.ts';
import { gatewayOf, isConfigured } from '../gateways/index.ts';
import type { GatewayStep } from '../purchase/attempt.ts';
import {
  type AbandonedAttempt,
  canBeCancelled,
  canBeRerouted,
  isStuck,
  reroute,
} from '../purchase/failover.ts';
import { sendLimitMs } from '../purchase/gateway-try.ts';
import type { Attempt, GatewayName } from '../purchase/state.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';
import { admitsCharge } from './circuits.ts';
import { chargeRequestOf, logAmbiguousResponse } from './gateway-call.ts';

const log = logger();

const retryDelayMs = 5 * minuteMs;

/** Null where no other gateway takes payments. */
export async function nextGateway({ others }: Attempt, env: Env): Promise<GatewayName | null> {
  for (const name of others) {
    if (isConfigured(name, env) && (await admitsCharge(name, env))) return name;
  }
  return null;
}

export function leaveGateway(
  attempt: Attempt,
  to: GatewayName,
  reason: string,
  storage: PurchaseStorage,
): void {
  const { id, gateway: vendor, arm, sentAt } = attempt;
  // A call that was sent may still arrive, and would renew after its trial.
  if (sentAt !== null) {
    const abandoned = { attempt, dueAt: Date.now() + sendLimitMs };
    storage.updateProfile({ abandoned: [...(storage.profile?.abandoned ?? []), abandoned] });
  }
  storage.save(reroute(attempt, to));
  log('warn', 'attempt_rerouted', { attempt: id, vendor, next: to, arm, reason });
}

/** The attempt's next step; null if it left a gateway whose circuit is open. */
export async function admittedStep(
  step: GatewayStep,
  attempt: Attempt,
  storage: PurchaseStorage,
  env: Env,
): Promise<GatewayStep | null> {
  if (step !== 'charge' || attempt.others.length === 0) return step;
  const isOpen = !(await admitsCharge(attempt.gateway, env));
  if (!isOpen && !isStuck(attempt, Date.now())) return step;
  const next = await nextGateway(attempt, env);
  // Read again, because the buyer may have chosen something else meanwhile.
  const current = storage.attempt(attempt.id);
  if (!next || !current) return step;
  if (canBeCancelled(step, current)) return 'cancelUnpaid';
  if (!isOpen || !canBeRerouted(current)) return step;
  leaveGateway(current, next, 'open circuit', storage);
  return null;
}

/** @returns whether the attempt can no longer be paid at the gateway */
async function cancelAbandonedAttempt(
  { attempt }: AbandonedAttempt,
  storage: PurchaseStorage,
  env: Env,
) {
  const { profile } = storage;
  const vendor = attempt.gateway;
  const { customerId } = profile?.customers[vendor] ?? {};
  if (!profile || !customerId) return true;
  try {
    const gateway = await gatewayOf(vendor, env);
    const request = { ...chargeRequestOf(storage, attempt, profile), record() {} };
    const { kind } = await gateway.cancelUnpaid(request);
    return kind === 'rejected' || kind === 'declined';
  } catch (error) {
    logAmbiguousResponse(error, { vendor, attempt: attempt.id });
    return false;
  }
}

const isSame = (one: AbandonedAttempt, other: AbandonedAttempt) =>
  one.attempt.id === other.attempt.id && one.attempt.gateway === other.attempt.gateway;

/** Cancels what attempts left at gateways. Never throws. @returns when to retry, ms since 1970 */
export async function cancelAbandoned(storage: PurchaseStorage, env: Env): Promise<number | null> {
  for (const one of storage.profile?.abandoned ?? []) {
    if (one.dueAt > Date.now()) continue;
    const isDone = await cancelAbandonedAttempt(one, storage, env);
    const others = storage.profile?.abandoned?.filter((other) => !isSame(other, one)) ?? [];
    const again = { ...one, dueAt: Date.now() + retryDelayMs };
    storage.updateProfile({ abandoned: isDone ? others : [...others, again] });
  }
  const due = storage.profile?.abandoned?.map(({ dueAt }) => dueAt) ?? [];
  return due.length > 0 ? Math.min(...due) : null;
}
