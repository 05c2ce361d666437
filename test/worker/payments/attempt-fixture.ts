import type { TermsResult } from '../../../worker/catalog/checkout-terms-version.ts';
import { planById } from '../../../worker/catalog/plans.ts';
import type { LedgerRow } from '../../../worker/payments/purchase-projection.ts';
import type { Attempt } from '../../../worker/payments/rules/attempt.ts';
import { newAttempt, type Terms } from '../../../worker/payments/rules/new-attempt.ts';

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

/** Terms accepted now in Germany, where the law gives 14 days to withdraw. */
export const germanTerms = (change: Partial<Terms> = {}): Terms => ({
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
  attempt,
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
