import type { TermsResult } from '../../../worker/catalog/checkout-terms-version.ts';
import { planById } from '../../../worker/catalog/plans.ts';
import type { LedgerRow } from '../../../worker/payments/purchase-projection.ts';
import type { Attempt } from '../../../worker/payments/rules/attempt.ts';
import { newAttempt, type Terms } from '../../../worker/payments/rules/new-attempt.ts';
import type { AttemptId } from '../../../worker/types.ts';

export const attemptId = (id: string = crypto.randomUUID()) => id as AttemptId;

/** Fields of an attempt; tests name attempts by plain strings. */
export type AttemptChange = Partial<Omit<Attempt, 'id'>> & { id?: string };

/** An open attempt to buy the monthly plan with an approving card, opened at 0. */
export function attempt(change: AttemptChange = {}): Attempt {
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
  const { id = 'a', ...rest } = change;
  return {
    ...newAttempt(plan, terms, { id: attemptId('a'), pollingId: 'p' }, 0),
    ...rest,
    id: id as AttemptId,
  };
}

/** Terms accepted now in Germany, where the law gives 14 days to withdraw. */
const germanTerms = (change: Partial<Terms> = {}): Terms => ({
  text: 'Order',
  version: null,
  language: 'de',
  market: 'euro',
  timeZone: 'Europe/Berlin',
  at: Date.now(),
  ...change,
});

/** The same as a purchase carries them. */
export const shownTerms = (change: Partial<Terms> = {}): TermsResult => ({
  kind: 'terms',
  terms: germanTerms(change),
});

/** The row of a whole month's price that was taken for an attempt. */
export const captured = (attempt: string, change: Partial<LedgerRow> = {}): LedgerRow => ({
  id: `${attempt}:capture`,
  attempt: attemptId(attempt),
  account: 'account',
  kind: 'capture',
  amount: 3999,
  currency: 'USD',
  paymentId: 'pi',
  gateway: 'stripe',
  experiment: 'e1',
  arm: 'intro/7d',
  at: 7,
  ...change,
});
