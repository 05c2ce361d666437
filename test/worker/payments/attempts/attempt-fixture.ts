import type { Terms } from '../../../../worker/catalog/accepted-terms.ts';
import type { TermsResult } from '../../../../worker/catalog/checkout-terms.ts';
import { builtInCatalog } from '../../../../worker/catalog/rules/catalog.ts';
import type { Plan } from '../../../../worker/catalog/rules/plans.ts';
import type { LedgerRow } from '../../../../worker/payments/ledger/ledger-table.ts';
import { newAttempt } from '../../../../worker/payments/purchase/new-attempt.ts';
import type { Attempt, Movement } from '../../../../worker/payments/purchase/state.ts';
import {
  type AccountId,
  type AttemptId,
  type EpochMs,
  type Minor,
  minor,
  type PaymentId,
  paymentIdOf,
} from '../../../../worker/platform/types.ts';

export const accountId = (id: string = crypto.randomUUID()) => id as AccountId;
export const attemptId = (id: string = crypto.randomUUID()) => id as AttemptId;

/** The same with plain strings and numbers for branded ids, amounts and times. */
export type Plain<T> = T extends Minor | EpochMs
  ? number
  : T extends AccountId | AttemptId | PaymentId
    ? string
    : T extends object
      ? { readonly [K in keyof T]: Plain<T[K]> }
      : T;

export function planNamed(id: string): Plan {
  const plan = builtInCatalog.planById(id);
  if (!plan) throw new Error(id);
  return plan;
}

/** Fields of an attempt, with its plan or the plan's id. */
export type AttemptChange = Plain<Partial<Omit<Attempt, 'plan'>>> & { plan?: Plan | string };

/** Movements and ledger rows from plain values. */
export const movement = <T extends Partial<Plain<Movement>>>(plain: T) =>
  plain as T & Pick<Movement, keyof Movement & keyof T>;

/** The charge of a month's price. */
export const charge: NonNullable<Attempt['charge']> = {
  subscriptionId: 'sub',
  paymentId: paymentIdOf('pi'),
  customerId: 'cus',
  methodId: 'pm',
  amount: minor(3999),
  currency: 'USD',
};

/** An open attempt to buy the monthly plan with an approving card, opened at 0. */
export function attempt(change: AttemptChange = {}): Attempt {
  const terms = {
    gateway: 'stripe',
    nonce: 'pm_card_visa',
    deviceData: null,
    coupon: null,
    experiment: 'e1',
    arm: 'fullPrice',
    terms: null,
  } as const;
  const { id = 'a', plan: named = 'monthly_usd', ...rest } = change;
  const plan = typeof named === 'string' ? planNamed(named) : named;
  return {
    ...newAttempt(plan, terms, { id: attemptId('a'), pollingId: 'p' }, 0),
    ...rest,
    id,
  } as Attempt;
}

/** Terms accepted now in Germany, where the law grants 14 days to withdraw. */
export const germanTerms = (change: Partial<Terms> = {}): Terms => ({
  text: 'Order',
  version: null,
  language: 'de',
  market: 'euro',
  timeZone: 'Europe/Berlin',
  at: Date.now(),
  ...change,
});

/** The same in the form of a purchase. */
export const shownTerms = (change: Partial<Terms> = {}): TermsResult => ({
  kind: 'terms',
  terms: germanTerms(change),
});

/** A ledger row for a whole month's price captured for an attempt. */
export const captured = (
  attempt: string,
  change: Omit<Partial<Plain<LedgerRow>>, 'attempt'> = {},
): LedgerRow => ({
  id: `${attempt}:capture`,
  attempt: attemptId(attempt),
  account: accountId('account'),
  kind: 'capture',
  ...movement({ amount: 3999, paymentId: 'pi', at: 7 }),
  currency: 'USD',
  gateway: 'stripe',
  experiment: 'e1',
  arm: 'intro/7d',
  ...(change as Partial<LedgerRow>),
});
