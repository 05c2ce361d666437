import type { AccountId, AttemptId, Minor, PaymentId } from '../../platform/types.ts';
import type { ReconciliationLine } from './money-movements.ts';
import type { GatewayName } from './state.ts';

/** A movement as the provider booked it. */
export interface BookedMovement {
  /** As in the ledger: `capture:pi_1`. */
  id: string;
  paymentId: PaymentId;
  /** The amount that should remain of it: 0 for a refund that failed. */
  amount: Minor;
  currency: string;
  /** Our id, from the metadata that we wrote at the provider; null if it has none. */
  attempt: AttemptId | null;
  account: AccountId | null;
  customerId: string | null;
  subscriptionId: string | null;
}

/** Ms since 1970, `to` excluded. */
export interface PaidPeriod {
  from: number;
  to: number;
}

/** Minor units by currency of the provider's balance. */
export type Fees = Readonly<Record<string, number>>;

interface BookedPage {
  movements: BookedMovement[];
  /** The provider's fees for everything on this page; null if it does not report them. */
  fees: Fees | null;
  /** Null on the last page. */
  next: string | null;
}

/** `id`: the movement, or the provider's id of a payout. An amount is null if that side does not have it. */
export interface MoneyDifference extends Omit<ReconciliationLine, 'attempt'> {
  kind:
    | 'captured_unsold'
    | 'sold_uncaptured'
    | 'unknown_payment'
    | 'amount_differs'
    | 'payout_differs';
  /** Null for a payment that no attempt made. */
  attempt: AttemptId | null;
}

/** Reads what a provider booked, for the nightly reconciliation. */
export interface SettlementReader {
  /** All money movements in a period, one page at a time. */
  booked(period: PaidPeriod, cursor: string | null): Promise<BookedPage>;
  /** Those of these captures that the provider has not captured. */
  uncaptured(rows: readonly { paymentId: PaymentId; at: number }[]): Promise<PaymentId[]>;
  /** Payouts that failed, or differ from the sum of their movements. Absent where payouts cannot be read. */
  payouts?(
    period: PaidPeriod,
    cursor: string | null,
  ): Promise<{ differences: MoneyDifference[]; next: string | null }>;
}

/** Movements whose amount differs from the ledger. @param ledger net amounts by movement */
export const unmatched = (
  movements: readonly BookedMovement[],
  ledger: ReadonlyMap<string, number>,
): BookedMovement[] => movements.filter(({ id, amount }) => (ledger.get(id) ?? 0) !== amount);

/** Compares a movement after its account was read again. @param line null if the account has none */
export function differenceOf(
  { id, amount, currency, attempt }: BookedMovement,
  gateway: GatewayName,
  line: ReconciliationLine | null,
  isOurs: boolean,
): MoneyDifference | null {
  const ledger = line?.ledger ?? null;
  if ((ledger ?? 0) === amount) return null;
  const isCapture = id.startsWith('capture:');
  const missing = isOurs || !isCapture ? 'captured_unsold' : 'unknown_payment';
  return {
    kind: ledger === null && isCapture ? missing : 'amount_differs',
    gateway,
    id,
    attempt: line?.attempt ?? attempt,
    currency: currency.toUpperCase(),
    provider: amount,
    ledger,
  };
}
