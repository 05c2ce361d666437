import { env } from 'cloudflare:test';
import type { D1Database, D1PreparedStatement, D1Result } from '@cloudflare/workers-types';
import { expect, test } from 'vitest';
import { insertAccount } from '../../../worker/accounts/account-table.ts';
import { manualCodeSeed } from '../../../worker/accounts/manual-code-table.ts';
import { createCode } from '../../../worker/accounts/one-time-codes.ts';
import { markEmailDone } from '../../../worker/email/email-table.ts';
import { insertPayer } from '../../../worker/payments/ledger/payer-lookup.ts';
import { writeProjection } from '../../../worker/payments/ledger/purchase-projection.ts';
import type { Subscription } from '../../../worker/payments/purchase/state.ts';
import { countUse } from '../../../worker/platform/rate-count-table.ts';
import { type AccountId, epochMs, type VisitorId } from '../../../worker/platform/types.ts';
import { rowsOf } from '../../bench/costs.ts';
import { accountId, attempt, attemptId, captured } from '../payments/attempts/attempt-fixture.ts';

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
const newAccount = {
  email: 'visitor@example.com',
  name: '',
  userUuid: 'u' as VisitorId,
  landingType: 'split_fullPrice',
  country: 'US',
  language: 'en',
  experiment: 'e1',
  arm: 'fullPrice',
  googleSub: null,
  isVerified: false,
};
const subscription: Subscription = {
  attempt: attemptId('a'),
  slot: 'main',
  plan: 'monthly_usd',
  gateway: 'stripe',
  customerId: 'cus',
  subscriptionId: 'sub',
  status: 'active',
  isRestartDue: false,
  paidUntil: epochMs(now),
  ends: false,
  isProvisional: false,
  waitsForMoney: false,
  giftUntil: null,
  isDebited: false,
  pausesUntil: null,
  nextPlan: null,
  earlier: { subscriptionIds: [], paymentIds: [] },
  paidSince: null,
  cancelRequestedAt: null,
  remindAt: null,
  withdrawnAt: null,
  failure: null,
  cardChangedAt: null,
  isDisputed: false,
  dueAt: null,
  version: 1,
};
const money = captured('a', { account: 'a', at: now });
const code = { account: 'a' as AccountId, epoch: 0, purpose: 'app', lifetimeMs: 1 } as const;
const use = { name: 'a', max: 1, windowMs: 1 };

test('costs: D1 writes the number of rows that the costs assume', async () => {
  await insertAccount(
    env.DB,
    { id: 'a' as AccountId, ...newAccount, email: 'first@example.com' },
    now,
  );
  const [mailed = 0, again = 0] = await both(
    (db) => markEmailDone(db, 'm1', now),
    (db) => markEmailDone(db, 'm1', later),
  );
  const seen = {
    account: await both(
      (db) => insertAccount(db, { id: 'b' as AccountId, ...newAccount }, now),
      noop,
    ),
    rate: await both(
      (db) => countUse(db, [use], now),
      (db) => countUse(db, [{ ...use, name: 'b', max: 0 }], later),
    ),
    code: await both((db) => createCode(db, code, now), noop),
    manualCode: await both((db) => manualCodeSeed(db, 'a' as AccountId, 0, now), noop),
    purchase: await both(
      (db) =>
        writeProjection(db, [{ kind: 'attempt', account: accountId('a'), attempt: attempt() }]),
      (db) =>
        writeProjection(db, [
          {
            kind: 'attempt',
            account: accountId('a'),
            attempt: attempt({ state: 'sent', version: 2 }),
          },
        ]),
    ),
    subscription: await both(
      (db) =>
        writeProjection(db, [{ kind: 'subscription', account: accountId('a'), subscription }]),
      noop,
    ),
    money: await both((db) => writeProjection(db, [{ kind: 'movement', row: money }]), noop),
    mail: [mailed, again - mailed],
    payer: await both(
      (db) => db.batch([insertPayer(db, { id: 'pi_1', account: accountId('a') })]),
      noop,
    ),
  };
  expect(seen).toEqual(rowsOf);
});
