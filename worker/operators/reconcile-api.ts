import { dayMs } from '../durations.ts';
import type { Env } from '../env.ts';
import { Refusal } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { checkGateways } from '../payments/gateways/configuration-check.ts';
import { buyersAfter, copiesOf, type PurchaseCopy } from '../payments/ledger/purchase-lookup.ts';
import type { Reconciliation } from '../payments/ledger/reconciliation.ts';
import { netRows, type ReconciliationLine } from '../payments/rules/money-movements.ts';
import { failedRenewals, sumOfRenewals } from '../payments/subscriptions/failed-renewal-report.ts';
import { accountDatabase, everyAccountDatabase, pageOfAll } from '../storage/account-databases.ts';
import { replicaOf } from '../storage/replica.ts';
import type { AccountId, AttemptId, Minor } from '../types.ts';

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

type Checked = { unread: UnreadAttempt[]; differences: Difference[] };

async function checkOne(
  account: AccountId,
  copies: readonly PurchaseCopy[],
  env: Env,
): Promise<Checked> {
  const reconciliation: Reconciliation | null = await env.PURCHASES.getByName(account)
    .compare()
    .catch(() => null);
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

/** Compares ledger, copy and statements without correcting anything. `next` is the next `?after=`. */
export const reconcile = createHandlers(async (c) => {
  const after = c.req.query('after') ?? '';
  if (after.length > 100) throw new Refusal('malformed_body', 'after');
  const accounts = await pageOfAll(c.env, after, accountsPerPage, (db, isContinued, limit) =>
    buyersAfter(db, isContinued ? after : '', limit),
  );
  const checked = await Promise.all(
    accounts.map(async (account) => {
      const copies = await copiesOf(accountDatabase(c.env, account), [account]);
      return checkOne(account, netRows(copies), c.env);
    }),
  );
  return c.json({
    data: {
      checked: checked.filter(({ unread }) => unread.length === 0).length,
      unread: checked.flatMap(({ unread }) => unread),
      differences: checked.flatMap(({ differences }) => differences),
      next: accounts.length === accountsPerPage ? (accounts.at(-1) ?? null) : null,
    },
  });
});

export const getGateways = createHandlers(async (c) =>
  c.json({ data: await checkGateways(c.env) }),
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
