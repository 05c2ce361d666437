import { env } from 'cloudflare:test';
import type { D1Database, D1PreparedStatement, D1Result } from '@cloudflare/workers-types';
import { expect, test } from 'vitest';
import { insertAccount } from '../../../worker/accounts/account-table.ts';
import { manualCodeSeed } from '../../../worker/accounts/manual-code-table.ts';
import { createCode } from '../../../worker/accounts/one-time-codes.ts';
import { markEmailDone } from '../../../worker/email/email-table.ts';
import { insertPayer } from '../../../worker/payments/ledger/payer-lookup.ts';
import { writeProjection } from '../../../worker/payments/ledger/purchase-projection.ts';
import { startSubscription } from '../../../worker/payments/subscriptions/rules/subscription-changes.ts';
import { countUse } from '../../../worker/platform/rate-count-table.ts';
import type { AccountId } from '../../../worker/platform/types.ts';
import { rowsOf } from '../../bench/written-rows.ts';
import { accountFacts } from '../accounts/account-fixture.ts';
import { accountId, attempt, captured, charge } from '../payments/attempts/attempt-fixture.ts';

const now = 1_700_000_000_000;
/** Long after all temporary rows have expired. */
const later = now + 365 * 24 * 60 * 60 * 1000;

/** Rows written by an action, as reported by D1. */
async function written(act: (db: D1Database) => Promise<unknown>): Promise<number> {
  let rows = 0;
  const noted = (result: D1Result) => {
    rows += result.meta.rows_written;
    return result;
  };
  const counted = (statement: D1PreparedStatement): D1PreparedStatement =>
    Object.assign(statement, {
      bind: bound(statement.bind.bind(statement)),
      first: async () => noted(await statement.all()).results[0] ?? null,
    });
  const bound =
    (bind: D1PreparedStatement['bind']) =>
    (...values: unknown[]) =>
      counted(bind(...values));
  await act({
    prepare: (sql: string) => counted(env.DB.prepare(sql)),
    batch: async (statements: D1PreparedStatement[]) => (await env.DB.batch(statements)).map(noted),
  } as never);
  return rows;
}

/** Rows written by an insert, and by an update or delete. */
const both = async (...acts: ((db: D1Database) => Promise<unknown>)[]) => {
  const counts: number[] = [];
  for (const act of acts) counts.push(await written(act));
  return counts;
};

const noop = async () => {};
const newAccount = { ...accountFacts('visitor@example.com'), experiment: 'e1' };
const bought = attempt({ state: 'active', charge });
const { subscription } = startSubscription(bought, now);
const money = captured('a', { account: 'a', at: now });
const code = { account: accountId('a'), epoch: 0, purpose: 'app', lifetimeMs: 1 } as const;
const account = accountId('a');
const sent = attempt({ state: 'sent', version: 2 });
const use = { name: 'a', max: 1, windowMs: 1 };

test('costs: D1 writes the number of rows that the costs assume', async () => {
  const first = { ...newAccount, id: 'a' as AccountId, email: 'first@example.com' };
  await insertAccount(env.DB, first, now);
  const [mailed = 0, again = 0] = await both(
    (db) => markEmailDone(db, 'm1', now),
    (db) => markEmailDone(db, 'm1', later),
  );
  const seen = {
    account: await both((db) => insertAccount(db, newAccount, now), noop),
    rate: await both(
      (db) => countUse(db, [use], now),
      (db) => countUse(db, [{ ...use, name: 'b', max: 0 }], later),
    ),
    code: await both((db) => createCode(db, code, now), noop),
    manualCode: await both((db) => manualCodeSeed(db, 'a' as AccountId, 0, now), noop),
    purchase: await both(
      (db) => writeProjection(db, [{ kind: 'attempt', account, attempt: attempt() }]),
      (db) => writeProjection(db, [{ kind: 'attempt', account, attempt: sent }]),
    ),
    subscription: await both(
      (db) => writeProjection(db, [{ kind: 'subscription', account, subscription }]),
      noop,
    ),
    money: await both((db) => writeProjection(db, [{ kind: 'movement', row: money }]), noop),
    mail: [mailed, again - mailed],
    payer: await both((db) => db.batch([insertPayer(db, { id: 'pi_1', account })]), noop),
  };
  expect(seen).toEqual(rowsOf);
});
