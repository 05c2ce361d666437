import type { Movements } from './subscription.ts';

/** A line of money that names its movement, such as `refund:re_1`; minor units. */
interface Row {
  id: string;
  amount: number;
}

/** The movement that a row is about: a counter-row has its id and a number, such as `refund:re_1#2`. */
export const movementOf = (id: string): string => id.split('#', 1)[0] ?? id;

function byMovement<T extends Row>(rows: readonly T[]): Map<string, [T, ...T[]]> {
  const found = new Map<string, [T, ...T[]]>();
  for (const row of rows) {
    const movement = movementOf(row.id);
    const before = found.get(movement);
    if (before) before.push(row);
    else found.set(movement, [row]);
  }
  return found;
}

const sum = (rows: readonly Row[]) => rows.reduce((total, { amount }) => total + amount, 0);

/** One row a movement, with what is left of it after its counter-rows; none for what came to nothing. */
export function netted<T extends Row>(rows: readonly T[]): T[] {
  return [...byMovement(rows)]
    .map(([id, own]) => ({ ...own[0], id, amount: sum(own) }))
    .filter(({ amount }) => amount !== 0);
}

/**
 * What brings rows into line with a whole statement: a refund that failed later, or a capture that was
 * never settled, is gone from it, and gets a counter-row. What the rows do not know yet is not here.
 *
 * @param now ms since 1970
 */
export function counterRows(
  rows: readonly (Row & Pick<Movements[number], 'kind' | 'paymentId'>)[],
  told: Movements,
  now: number,
): Movements {
  const amounts = new Map(told.map(({ kind, id, amount }) => [`${kind}:${id}`, amount]));
  return [...byMovement(rows)].flatMap(([movement, own]) => {
    const [{ kind, paymentId }] = own;
    const amount = (amounts.get(movement) ?? 0) - sum(own);
    const id = `${movement.slice(kind.length + 1)}#${own.length + 1}`;
    return amount === 0 ? [] : [{ kind, id, paymentId, amount, at: now }];
  });
}
