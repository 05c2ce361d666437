import type { GatewayName } from './attempt.ts';
import type { Statement } from './gateway.ts';

/** Money as one side has it: the movement's id (`capture:…`), and minor units. */
export interface MoneyEntry {
  id: string;
  attempt: string;
  amount: number;
}

/** Money as two sides have it; null where a side does not know it. */
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

/** All money of a statement. */
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

/** Our rows and the gateway's side by side, each movement one line. */
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
