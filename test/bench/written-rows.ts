/**
 * Rows that D1 writes, including indexes, when a row is inserted, and when it is updated or deleted. Accounts,
 * codes, attempts, subscriptions and the ledger are kept.
 */
export const rowsOf = {
  account: [3, 0],
  rate: [3, 1],
  code: [3, 0],
  manualCode: [2, 0],
  purchase: [3, 1],
  subscription: [6, 0],
  money: [5, 0],
  mail: [3, 1],
  payer: [1, 0],
} as const;
