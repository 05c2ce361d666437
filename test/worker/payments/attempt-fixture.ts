import { planById } from '../../../worker/catalog/plans.ts';
import type { Attempt } from '../../../worker/payments/rules/attempt.ts';
import { newAttempt } from '../../../worker/payments/rules/new-attempt.ts';

/** An open attempt to buy the monthly plan with an approving card, opened at 0. */
export function attempt(change: Partial<Attempt> = {}): Attempt {
  const plan = planById(change.plan ?? 'monthly_usd');
  if (!plan) throw new Error(change.plan);
  const terms = {
    gateway: 'stripe',
    nonce: 'pm_card_visa',
    deviceData: null,
    coupon: null,
    experiment: 'e1',
    arm: 'fullPrice',
    terms: null,
  } as const;
  return { ...newAttempt(plan, terms, { id: 'a', pollingId: 'p' }, 0), ...change };
}
