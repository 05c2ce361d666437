import type { GatewayName } from './attempt.ts';
import type { Statement } from './gateway.ts';

/** A movement by one side: its id (`capture:…`), and minor units. */
export interface MoneyEntry {
  id: string;
  attempt: string;
  amount: number;
}

/** A movement by both sides; null where a side does not have it. */
export interface ReconciliationLine {
  id: string;
  attempt: string;
  gateway: GatewayName;
  currency: string;
  /** Minor units, by our ledger. */
  ledger: number | null;
  /** Minor units, by the gateway. */
  provider: number | null;
}

export function entriesOf(
  attempt: string,
  { captures, refunds, disputes }: Pick<Statement, 'captures' | 'refunds' | 'disputes'>,
): MoneyEntry[] {
  const entries = (kind: string, movements: Statement['captures']) =>
    movements.map(({ id, amount }) => ({ id: `${kind}:${id}`, attempt, amount }));
  return [
    ...entries('capture', captures),
    ...entries('refund', refunds),
    ...entries('dispute', disputes),
  ];
}

/** The ledger and the gateway side by side, one line for each movement. */
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
