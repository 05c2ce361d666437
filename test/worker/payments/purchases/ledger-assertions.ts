import { env, runInDurableObject } from 'cloudflare:test';
import type { DurableObjectStub } from '@cloudflare/workers-types';
import { afterEach, expect } from 'vitest';
import { PurchaseStorage } from '../../../../worker/payments/purchase-storage.ts';
import type { Purchases } from '../../../../worker/payments/purchases-object.ts';
import type { Taken } from './captured-amounts.ts';

type Stub = DurableObjectStub<Purchases>;

/** The banks and the accounts of the test that runs. */
const banks: (() => Taken[])[] = [];
const accounts = new Set<Stub>();

/** Has all that a bank takes compared with the ledgers when the test is over. */
export const auditBank = (taken: () => Taken[]) => void banks.push(taken);

/** Has an account's ledger compared with the banks when the test is over. */
export const auditAccount = (stub: Stub) => void accounts.add(stub);

/** For an account whose money somebody changed at the bank: the test says itself what is known of it. */
export const offBooks = (stub: Stub) => void accounts.delete(stub);

/** Captures and refunds of each attempt that is final, also of one that was sold nothing. */
async function ledgerOf(stub: Stub): Promise<{ open: string[]; sums: Record<string, number[]> }> {
  return runInDurableObject(stub, (_, state) => {
    const ledger = new PurchaseStorage(state.storage.kv as never);
    const sum = (attempt: string, kind: string) =>
      ledger
        .rows()
        .filter((row) => row.attempt === attempt && row.kind === kind)
        .reduce((total, { amount }) => total + amount, 0);
    const attempts = ledger.attempts().map(({ id }) => id);
    return {
      open: ledger.pendingAttempts().map(({ id }) => id),
      sums: Object.fromEntries(attempts.map((id) => [id, [sum(id, 'capture'), sum(id, 'refund')]])),
    };
  });
}

/** Fails when an account's ledger and what the banks took and gave back differ by a cent. */
export async function balances(stub: Stub, taken: readonly Taken[]): Promise<void> {
  const { open, sums } = await ledgerOf(stub);
  const bank: Record<string, number[]> = Object.fromEntries(
    Object.keys(sums).map((attempt) => [attempt, [0, 0]]),
  );
  for (const { attempt, amount, refunded, account: whose } of taken) {
    if (whose !== stub.name || open.includes(attempt)) continue;
    const [captured = 0, back = 0] = bank[attempt] ?? [];
    bank[attempt] = [captured + amount, back + refunded];
  }
  const settled = Object.entries(sums).filter(([attempt]) => !open.includes(attempt));
  for (const attempt of open) delete bank[attempt];
  expect(Object.fromEntries(settled)).toEqual(bank);
}

/** Forgets who had an intro, so that the same card and mailbox begin anew. */
export const forgetIntros = () => env.DB.prepare('DELETE FROM intros').run();

afterEach(() => forgetIntros());

/** After every test: each ledger is what the banks took less what they gave back. */
afterEach(async () => {
  const taken = banks.splice(0).flatMap((bank) => bank());
  const all = [...accounts];
  accounts.clear();
  for (const stub of all) await balances(stub, taken);
});
