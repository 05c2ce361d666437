import type { Market } from '../../catalog/rules/markets.ts';
import { type Minor, minor, type PaymentId, subtract } from '../../platform/types.ts';

/** A buyer's location, as far as tax needs it. */
export interface TaxLocation {
  /** ISO 3166 alpha-2, as the edge sees it. */
  country: string;
  market: Market['id'];
  /** Stripe Tax locates the buyer by it; deleted when the outcome of the payment is known. */
  ip: string | null;
}

/** Basis points by country (`DE`) or market (`euro`); a country's own rate comes first. */
export type TaxRates = Readonly<Record<string, number>>;

/** Undefined for an unknown rate, which is not a rate of zero. */
export const taxRateOf = (
  rates: TaxRates,
  location: Pick<TaxLocation, 'country' | 'market'> | null,
): number | undefined =>
  location ? (rates[location.country] ?? rates[location.market]) : undefined;

/** `amount × part / whole` in whole minor units, half a unit rounded up; exact at any size. */
function shareOf(amount: number, part: number, whole: number): number {
  const [of, all] = [2n * BigInt(amount) * BigInt(part), BigInt(whole)];
  return Number((of + all) / (2n * all));
}

/** The tax included in a price; the net is the rest, so that both add up to the price. */
export const includedTax = (gross: Minor, rateBasisPoints: number): Minor =>
  minor(shareOf(gross, rateBasisPoints, 10_000 + rateBasisPoints));

interface TaxedRow {
  kind: 'capture' | 'refund' | 'dispute';
  id: string;
  paymentId: PaymentId;
  amount: Minor;
  tax?: Minor | undefined;
}

/**
 * The tax of a new ledger row. For a capture it is the gateway's, or follows from its rate. A refund or reversal
 * has its share; the shares add up to the whole tax after a full refund, however it was split.
 * @param rows the payment's own rows so far, by ids such as `capture:pi_1` @returns undefined where it is unknown
 */
export function taxOfMovement(movement: TaxedRow, rows: readonly TaxedRow[]): Minor | undefined {
  const { kind, id, paymentId, amount } = movement;
  if (kind === 'capture' && id === paymentId) return movement.tax;
  const capture = rows.find((row) => row.id === `capture:${paymentId}`);
  if (capture?.tax === undefined || capture.amount === 0) return undefined;
  const { amount: gross, tax } = capture;
  const isCapture = kind === 'capture';
  const before = rows
    .filter((row) => row.paymentId === paymentId && (row.kind === 'capture') === isCapture)
    .reduce((sum, row) => sum + row.amount, 0);
  const taxUpTo = (sum: number) => minor(shareOf(Math.max(0, sum), tax, gross));
  return subtract(taxUpTo(before + amount), taxUpTo(before));
}
