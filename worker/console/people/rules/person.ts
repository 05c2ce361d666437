import type { Terms } from '../../../catalog/accepted-terms.ts';
import { builtInCatalog } from '../../../catalog/rules/catalog.ts';
import { gatewayTraits } from '../../../payments/purchase/gateway-traits.ts';
import {
  lastClaim,
  mayClaim,
  mayWithdraw,
  withdrawalDay,
} from '../../../payments/purchase/refund-rights.ts';
import {
  type AttemptId,
  type EpochMs,
  type Minor,
  type PaymentId,
  minor as toMinor,
} from '../../../platform/types.ts';
import type { PersonFacts, StoredLedgerRow } from '../people-table.ts';

export interface PersonPayment {
  id: PaymentId;
  attempt: AttemptId;
  gateway: string;
  currency: string;
  captured: Minor;
  /** Inside what was captured; null where it is unknown. */
  tax: Minor | null;
  refunded: Minor;
  lost: Minor;
  at: EpochMs;
}

const amountsOf = (rows: readonly StoredLedgerRow[]) => rows.map(({ amount }) => amount);
const total = (amounts: readonly number[]) => toMinor(amounts.reduce((sum, one) => sum + one, 0));

/** Every payment with its refunds and lost disputes, newest first. */
export function paymentsOf(ledger: readonly StoredLedgerRow[]): PersonPayment[] {
  const byPayment = Map.groupBy(ledger, ({ payment_id }) => payment_id);
  const payments = [...byPayment].flatMap(([id, rows]): PersonPayment[] => {
    const captures = rows.filter(({ kind }) => kind === 'capture');
    const [first] = captures;
    if (!first) return [];
    const { attempt_id: attempt, gateway, currency, occurred_at: at } = first;
    const sumOf = (wanted: StoredLedgerRow['kind']) =>
      total(amountsOf(rows.filter(({ kind }) => kind === wanted)));
    const [refunded, lost] = [sumOf('refund'), sumOf('dispute')];
    const taxes = captures.flatMap((row) => (row.tax === null ? [] : row.tax));
    const tax = taxes.length === captures.length ? total(taxes) : null;
    const captured = total(amountsOf(captures));
    return [{ id, attempt, gateway, currency, captured, tax, refunded, lost, at }];
  });
  return payments.sort((a, b) => b.at - a.at);
}

export const refundableOf = ({ captured, refunded, lost }: PersonPayment): Minor =>
  toMinor(Math.max(0, captured - refunded - lost));

export type AmountText = (minor: number, currency: string) => string;

/** Such as ` (net 33.61 EUR, tax 6.38 EUR)`; empty where the tax is unknown. */
export function taxText(gross: Minor, tax: Minor | null, currency: string, amount: AmountText) {
  if (tax === null) return '';
  return ` (net ${amount(gross - tax, currency)}, tax ${amount(tax, currency)})`;
}

/** @returns null if the text is not an amount @param digits decimals of the currency */
export function typedAmount(text: string, digits: number): Minor | null {
  const match = /^\s*(\d{1,9})(?:[.,](\d{1,3}))?\s*$/.exec(text);
  const [, whole = '', decimals = ''] = match ?? [];
  if (!match || decimals.length > digits) return null;
  const minor = Number(whole + decimals.padEnd(digits, '0'));
  return minor > 0 ? toMinor(minor) : null;
}

/** A plan's name at the providers, or its id if the catalog no longer has it. */
export const planText = (id: string): string => builtInCatalog.planById(id)?.productId ?? id;

const traits: Partial<Record<string, { title: string }>> = gatewayTraits;
export const providerText = (gateway: string): string => traits[gateway]?.title ?? gateway;

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Until when the buyer may claim a refund, one sentence per right. A renewal has no period of its own. */
export function rightsOf(
  { attempts, ledger }: Pick<PersonFacts, 'attempts' | 'ledger'>,
  { attempt: id, at }: PersonPayment,
  now: number,
): string[] {
  const attempt = attempts.find((one) => one.id === id);
  const isFirst = ledger.every(
    ({ kind, attempt_id, occurred_at }) =>
      kind !== 'capture' || attempt_id !== id || occurred_at >= at,
  );
  if (!attempt || !isFirst) return [];
  const terms: Terms | null = attempt.terms === null ? null : JSON.parse(attempt.terms);
  const last = withdrawalDay(terms);
  const until = last === null ? '' : day(last);
  const byLaw = mayWithdraw(terms, now)
    ? `By law the buyer may withdraw until ${until}.`
    : `The buyer’s legal right to withdraw ended on ${until}.`;
  return [
    ...(terms === null
      ? ['No withdrawal terms are on file for this purchase, so no deadline is shown.']
      : []),
    ...(terms === null || last !== null ? [] : ['This buyer has no legal right to withdraw.']),
    ...(last === null ? [] : [byLaw]),
    ...(attempt.slot === 'main' && mayClaim(at, now)
      ? [
          `If no invitee shares their location, the guarantee can be claimed until ${day(lastClaim(at))}.`,
        ]
      : []),
  ];
}
