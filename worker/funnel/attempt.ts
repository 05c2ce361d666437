import type { Plan } from './plans.ts';
import type { Attempt, GatewayName } from './purchase.ts';

/** Who buys, and how. */
interface Terms {
  gateway: GatewayName;
  nonce: string | null;
  coupon: { code: string; discount: number } | null;
  experiment: string | null;
  arm: string;
}

/** An attempt to buy a plan, before anything was sent. Its sum is the plan's row less the coupon. */
export function newAttempt(
  plan: Plan,
  { gateway, nonce, coupon, experiment, arm }: Terms,
  ids: { id: string; pollingId: string },
  now: number,
): Attempt {
  return {
    ...ids,
    gateway,
    slot: plan.slot,
    plan: plan.id,
    amount: plan.today - (coupon?.discount ?? 0),
    coupon: coupon?.code ?? null,
    nonce,
    experiment,
    arm,
    state: 'open',
    openedAt: now,
    challengedAt: null,
    rounds: 0,
    dueAt: now,
    tries: 0,
    paymentId: null,
    secret: null,
    charge: null,
    declineCode: null,
    processorResponse: null,
    version: 1,
  };
}
