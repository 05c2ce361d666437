import { dayMs } from '../../platform/durations.ts';

/** An outcome that stays unknown this long becomes a case for an operator, and again daily. */
export const operatorCaseAfterMs = dayMs;

/** docs.stripe.com/payments/sepa-debit: up to 14 business days, here including a holiday. */
export const debitLimitMs = 21 * dayMs;

export function isCaseDue(
  { state, openedAt, caseAt }: { state: string; openedAt: number; caseAt?: number | null },
  now: number,
): boolean {
  const expectedAt = openedAt + (state === 'processing' ? debitLimitMs : 0);
  return now - (caseAt ?? expectedAt) >= operatorCaseAfterMs;
}
