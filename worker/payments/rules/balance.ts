/** Money that moved, in minor units. */
interface Row {
  kind: 'capture' | 'refund' | 'dispute';
  amount: number;
}

/** What was taken and not given back, in minor units. */
export const balance = (rows: readonly Row[]): number =>
  rows.reduce((sum, { kind, amount }) => sum + (kind === 'capture' ? amount : -amount), 0);
