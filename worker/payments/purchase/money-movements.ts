import { minuteMs } from '../../platform/durations.ts';
import {
  type AttemptId,
  add,
  epochMs,
  type Minor,
  minor,
  subtract,
  sumOf,
} from '../../platform/types.ts';
import type { GatewayName, Movement, Statement, Subscription } from './state.ts';

export interface MovementRow extends Movement {
  kind: 'capture' | 'refund' | 'dispute';
}

export type Movements = readonly MovementRow[];

export const movementsOf = ({
  captures,
  refunds,
  disputes,
}: Pick<Statement, 'captures' | 'refunds' | 'disputes'>): Movements => [
  ...captures.map((movement) => ({ ...movement, kind: 'capture' as const })),
  ...refunds.map((movement) => ({ ...movement, kind: 'refund' as const })),
  ...disputes.map((movement) => ({ ...movement, kind: 'dispute' as const })),
];

/** A ledger row whose id names its movement, such as `refund:re_1`. */
interface Row {
  id: string;
  amount: Minor;
}

type MoneyRow = Pick<MovementRow, 'kind' | 'amount'>;

export const balance = (rows: readonly MoneyRow[]): Minor =>
  rows.reduce(
    (sum, { kind, amount }) => (kind === 'capture' ? add : subtract)(sum, amount),
    minor(0),
  );

type SourceOf = (row: RevenueRow) => string;

const sourceOf: SourceOf = ({ currency, experiment, arm }) =>
  JSON.stringify([currency, experiment, arm]);

interface RevenueRow extends MoneyRow {
  currency: string;
  experiment: string | null;
  arm: string;
  arms?: string;
}

/**
 * The change that a row makes to the square of the buyer's revenue in its variant and currency. Summed in the order
 * of recording, these equal the square, so that rollups have the exact variance among visitors.
 * @param before the account's rows without the new one
 */
export function addedSquares(
  before: readonly RevenueRow[],
  row: RevenueRow,
  from: SourceOf = sourceOf,
): number {
  const known = balance(before.filter((other) => from(other) === from(row)));
  const amount = balance([row]);
  return 2 * known * amount + amount ** 2;
}

/** The same for each variant of `arms`: an account may have bought in other variants of another experiment before. */
export const addedArmSquares = (before: readonly RevenueRow[], row: RevenueRow): number[] =>
  namesIn(row).map((name) =>
    addedSquares(before, row, (one) => `${one.currency} ${namesIn(one).includes(name)}`),
  );

const namesIn = ({ arms }: RevenueRow) => arms?.split(',').filter(Boolean) ?? [];

/**
 * Whether a row belongs to a later payment of its attempt than the first, such as a renewal or a change of plan.
 * @param before the account's rows without the new one
 */
export function isRenewal<Payment extends { kind: string; attempt: string; paymentId: string }>(
  before: readonly Payment[],
  row: Payment,
): boolean {
  const isFirst = ({ kind, attempt }: Payment) => kind === 'capture' && attempt === row.attempt;
  const first = before.find(isFirst) ?? row;
  return first.paymentId !== row.paymentId;
}

/** The movement of a row: a reversal row has the movement's id and a number, such as `refund:re_1#2`. */
export const movementIdOf = (id: string): string => id.split('#')[0] ?? id;

function byMovement<T extends Row>(rows: readonly T[]): Map<string, [T, ...T[]]> {
  const found = new Map<string, [T, ...T[]]>();
  for (const row of rows) {
    const movement = movementIdOf(row.id);
    const before = found.get(movement);
    if (before) before.push(row);
    else found.set(movement, [row]);
  }
  return found;
}

/** One row per movement, less its reversals; none for a movement that was fully reversed. */
export function netRows<T extends Row>(rows: readonly T[]): T[] {
  return [...byMovement(rows)]
    .map(([id, own]) => ({ ...own[0], id, amount: sumOf(own) }))
    .filter(({ amount }) => amount !== 0);
}

/** For movements that a complete statement no longer contains: a failed refund, or a capture that was never settled. */
export function reversalRows(
  rows: readonly (Row & Pick<MovementRow, 'kind' | 'paymentId'>)[],
  statement: Movements,
  now: number,
): Movements {
  const amounts = new Map(statement.map(({ kind, id, amount }) => [`${kind}:${id}`, amount]));
  return [...byMovement(rows)].flatMap(([movement, own]) => {
    const [{ kind, paymentId }] = own;
    const amount = subtract(amounts.get(movement) ?? minor(0), sumOf(own));
    const id = `${movement.slice(kind.length + 1)}#${own.length + 1}`;
    return amount === 0 ? [] : [{ kind, id, paymentId, amount, at: epochMs(now) }];
  });
}

export interface MoneyEntry {
  id: string;
  attempt: AttemptId;
  amount: Minor;
}

export interface ReconciliationLine {
  id: string;
  attempt: AttemptId;
  gateway: GatewayName;
  currency: string;
  ledger: Minor | null;
  provider: Minor | null;
}

export const entriesOf = (
  attempt: AttemptId,
  statement: Parameters<typeof movementsOf>[0],
): MoneyEntry[] =>
  movementsOf(statement).map(({ kind, id, amount }) => ({ id: `${kind}:${id}`, attempt, amount }));

export function sideBySide(
  about: Pick<ReconciliationLine, 'attempt' | 'gateway' | 'currency'>,
  ledger: readonly MoneyEntry[],
  provider: readonly MoneyEntry[],
): ReconciliationLine[] {
  const ids = new Set([...ledger, ...provider].map(({ id }) => id));
  const amountIn = (entries: readonly MoneyEntry[], id: string) =>
    entries.find((entry) => entry.id === id)?.amount ?? null;
  return [...ids].map((id) => ({
    ...about,
    id,
    ledger: amountIn(ledger, id),
    provider: amountIn(provider, id),
  }));
}

type Money = Pick<Statement, 'captures' | 'refunds' | 'disputes'>;

/** The remainder of payments after refunds and disputes. Minor units. */
export const remaining = ({ captures, refunds, disputes }: Money) =>
  sumOf(captures) - sumOf(refunds) - sumOf(disputes);

/** The remainder of one payment after its refunds and disputes. Minor units. */
export function remainingOf(capture: Movement, { refunds, disputes }: Money): number {
  const its = ({ paymentId }: Movement) => paymentId === capture.paymentId;
  return remaining({
    captures: [capture],
    refunds: refunds.filter(its),
    disputes: disputes.filter(its),
  });
}

/**
 * The running period is unpaid: its payment was fully returned, or one whose unused days were deducted from it. The
 * payment of a change that then failed was for no period.
 */
export function isPeriodReturned(
  statement: Statement,
  { earlier, paidSince }: Pick<Subscription, 'earlier' | 'paidSince'>,
): boolean {
  const lastChange = (paidSince?.at ?? 0) + minuteMs;
  const [newest] = statement.captures
    .filter(({ paymentId, at }) => at <= lastChange || !earlier.paymentIds.includes(paymentId))
    .toSorted((a, b) => b.at - a.at);
  if (!newest) return false;
  // A later renewal is paid in full by itself.
  const credited = newest.at <= lastChange ? (paidSince?.credited ?? []) : [];
  const paying = statement.captures.filter(
    (one) => one === newest || credited.includes(one.paymentId),
  );
  return paying.some((one) => remainingOf(one, statement) <= 0);
}
