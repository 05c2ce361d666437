import * as v from 'valibot';
import { createHandlers } from '../http/handlers.ts';
import { jsonBody } from '../http/json-body.ts';
import { checkLiveGateways } from '../payments/gateways/configuration-check.ts';
import { type BuyerPage, listedBuyers } from '../payments/ledger/buyer-index.ts';
import { storedRows } from '../payments/ledger/copy-table.ts';
import { payerDifferences } from '../payments/ledger/payer-lookup.ts';
import {
  buyersAfter,
  copiesOf,
  knownBuyers,
  type PurchaseCopy,
} from '../payments/ledger/purchase-lookup.ts';
import type { Reconciliation } from '../payments/ledger/reconciliation.ts';
import {
  type CopyDifference,
  copyDifferences,
  nameOf,
} from '../payments/ledger/rules/copied-rows.ts';
import { netRows, type ReconciliationLine } from '../payments/purchase/money-movements.ts';
import { failedRenewals, sumOfRenewals } from '../payments/subscriptions/failed-renewal-report.ts';
import { accountDatabase, everyAccountDatabase, pageOfAll } from '../platform/account-databases.ts';
import { dayMs } from '../platform/durations.ts';
import type { Env } from '../platform/env.ts';
import { Refusal } from '../platform/errors.ts';
import { logger } from '../platform/log.ts';
import { replicaOf } from '../platform/replica.ts';
import type { AccountId, AttemptId, Minor } from '../platform/types.ts';
import { unanswered } from '../platform/unanswered.ts';
import { audited, operatorText } from './audited-command.ts';

/** Each account calls its gateways several times. */
const accountsPerPage = 10;

/** A payment whose amounts differ; minor units, null if a side does not have it. */
export interface Difference extends ReconciliationLine {
  account: AccountId;
  copy: Minor | null;
}

/** An attempt that could not be compared; null means the whole account. */
export interface UnreadAttempt {
  account: AccountId;
  attempt: AttemptId | null;
}

interface Checked {
  unread: UnreadAttempt[];
  differences: Difference[];
  /** Not compared where D1 has lost the whole account. */
  rows?: RowDifference[];
}

/** A row of D1 that differs from what the account's object would write. */
export type RowDifference = CopyDifference & { account: AccountId };

async function rowDifferences(account: AccountId, env: Env): Promise<RowDifference[]> {
  const read = async () => {
    const { rows, waiting } = await env.PURCHASES.getByName(account).copiedRows();
    const stored = await storedRows(accountDatabase(env, account), account);
    const written = rows.filter((row) => !waiting.includes(nameOf(row)));
    return [
      ...copyDifferences(rows, stored, waiting),
      ...(await payerDifferences(env, account, written)),
    ].map((one) => ({ account, ...one }));
  };
  const found = await read();
  if (found.length === 0) return [];
  // A row that changed between both reads is no difference.
  const again = new Set((await read()).map((one) => JSON.stringify(one)));
  return found.filter((one) => again.has(JSON.stringify(one)));
}

const summaryOf = (checked: readonly Checked[]) => ({
  checked: checked.filter(({ unread }) => unread.length === 0).length,
  unread: checked.flatMap(({ unread }) => unread),
  differences: checked.flatMap(({ differences }) => differences),
  rows: checked.flatMap(({ rows = [] }) => rows),
});

const log = logger();

async function checkOne(
  account: AccountId,
  copies: readonly PurchaseCopy[],
  env: Env,
): Promise<Checked> {
  const reconciliation: Reconciliation | null = await env.PURCHASES.getByName(account)
    .compare()
    .catch(unanswered(log, 'PURCHASES', null));
  if (!reconciliation) return { unread: [{ account, attempt: null }], differences: [] };
  const { lines, pending, unread } = reconciliation;
  const known = new Set(lines.map(({ id }) => id));
  const unknownRows = copies
    .filter(({ id, attempt }) => !known.has(id) && !unread.includes(attempt))
    .map(({ id, attempt, gateway, currency }) => ({ id, attempt, gateway, currency }));
  const all: ReconciliationLine[] = [
    ...lines,
    ...unknownRows.map((row) => ({ ...row, ledger: null, provider: null })),
  ];
  const differences = all
    .map((line) => {
      const copy = copies.find(({ id }) => id === line.id)?.amount ?? null;
      return { account, ...line, copy: pending.includes(line.id) ? line.ledger : copy };
    })
    .filter(({ ledger, provider, copy }) => ledger !== provider || ledger !== copy);
  return { unread: unread.map((attempt) => ({ account, attempt })), differences };
}

/** Listed accounts of which D1 has lost every row. */
async function lostOf(env: Env, accounts: readonly AccountId[]): Promise<AccountId[]> {
  const byDatabase = Map.groupBy(accounts, (account) => accountDatabase(env, account));
  const known = await Promise.all([...byDatabase].map(([db, own]) => knownBuyers(db, own)));
  const all = new Set(known.flat());
  return accounts.filter((account) => !all.has(account));
}

const lostPrefix = 'listed:';
/** Each of them calls its gateways if it is lost. */
const listedPerPage = 50;
const listedAtOnce = 1000;

/** The start of the walk over the list, once D1's own accounts are compared; null without a loss. */
async function firstLostPage(env: Env): Promise<string | null> {
  for (let cursor: string | null = null; ; ) {
    const page: BuyerPage = await listedBuyers(env, cursor, listedAtOnce);
    if ((await lostOf(env, page.accounts)).length > 0) return `${lostPrefix}${cursor ?? ''}`;
    if (page.cursor === null) return null;
    cursor = page.cursor;
  }
}

async function checkLost(env: Env, cursor: string) {
  const page = await listedBuyers(env, cursor || null, listedPerPage);
  const lost = await lostOf(env, page.accounts);
  const checked: Checked[] = [];
  for (const account of lost) checked.push(await checkOne(account, [], env));
  const next = page.cursor === null ? null : lostPrefix + page.cursor;
  return { checked, lost, next };
}

/**
 * Compares ledger, copy and statements without correcting anything: the accounts that D1 knows, then those that only
 * the list in KV knows. `next` is the next `?after=`.
 */
export const compareAccounts = createHandlers(async (c) => {
  const after = c.req.query('after') ?? '';
  if (after.length > 1000) throw new Refusal('malformed_body', 'after');
  if (after.startsWith(lostPrefix)) {
    const { checked, lost, next } = await checkLost(c.env, after.slice(lostPrefix.length));
    return c.json({ data: { ...summaryOf(checked), lost, next } });
  }
  const accounts = await pageOfAll(c.env, after, accountsPerPage, (db, isContinued, limit) =>
    buyersAfter(db, isContinued ? after : '', limit),
  );
  const checked = await Promise.all(
    accounts.map(async (account) => {
      const copies = await copiesOf(accountDatabase(c.env, account), [account]);
      const one = await checkOne(account, netRows(copies), c.env);
      const rows = await rowDifferences(account, c.env).catch(unanswered(log, 'DB', null));
      if (rows) return { ...one, rows };
      return { ...one, unread: one.unread.length > 0 ? one.unread : [{ account, attempt: null }] };
    }),
  );
  const last = accounts.length === accountsPerPage ? accounts.at(-1) : undefined;
  const next = last ?? (await firstLostPage(c.env));
  return c.json({ data: { ...summaryOf(checked), next } });
});

const rebuildBody = v.object({
  /** Empty for the first page. */
  after: v.pipe(v.string(), v.maxLength(1000)),
  reason: operatorText,
});

const rebuiltPerPage = 20;

/** Writes the copy in D1 again from the objects of the listed accounts. `next` is the next `after`. */
export const rebuildCopies = createHandlers(jsonBody(rebuildBody), async (c) => {
  const { after, reason } = c.req.valid('json');
  const command = { action: 'rebuild', target: 'copy', details: { after }, reason };
  const data = await audited(
    c,
    command,
    async () => {
      const page = await listedBuyers(c.env, after || null, rebuiltPerPage);
      const rows = await Promise.all(
        page.accounts.map((account) => c.env.PURCHASES.getByName(account).rebuildCopy()),
      );
      return {
        accounts: page.accounts.length,
        rows: rows.reduce((sum, each) => sum + each, 0),
        next: page.cursor,
      };
    },
    ({ accounts, rows }) => `${accounts} accounts, ${rows} rows`,
  );
  return c.json({ data });
});

export const getGateways = createHandlers(async (c) =>
  c.json({ data: await checkLiveGateways(c.env) }),
);

/** The outcome of renewals that failed in the last `?days=`, 30 by default. */
export const getRenewals = createHandlers(async (c) => {
  const days = Number(c.req.query('days') ?? 30);
  if (!(days >= 1 && days <= 400)) throw new Refusal('malformed_body', 'days');
  const to = Date.now();
  const period = { from: to - days * dayMs, to };
  const found = await Promise.all(
    everyAccountDatabase(c.env).map((db) => failedRenewals(replicaOf(db), period)),
  );
  return c.json({
    data: sumOfRenewals(found.flat()),
  });
});
