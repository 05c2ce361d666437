import type { Env } from '../env.ts';
import { Refusal } from '../errors.ts';
import { createHandlers } from '../http/handlers.ts';
import { buyersAfter, copiesOf, type PurchaseCopy } from '../payments/purchase-lookup.ts';
import type { Reconciliation } from '../payments/reconciliation.ts';
import { netted } from '../payments/rules/money-movements.ts';
import type { Line } from '../payments/rules/reconciliation.ts';

/** Accounts a page: each asks its gateways several times. */
const page = 10;

/** Money that is not the same everywhere; minor units, null where a side does not know it. */
export interface Difference extends Line {
  account: string;
  /** By the copy in D1. */
  copy: number | null;
}

/** What could not be compared: an attempt, or the whole account where that is null. */
export interface Unread {
  account: string;
  attempt: string | null;
}

type Checked = { unread: Unread[]; differences: Difference[] };

async function checkOne(
  account: string,
  copies: readonly PurchaseCopy[],
  env: Env,
): Promise<Checked> {
  const told: Reconciliation | null = await env.PURCHASES.getByName(account)
    .compare()
    .catch(() => null);
  if (!told) return { unread: [{ account, attempt: null }], differences: [] };
  const { lines, pending, unread } = told;
  const known = new Set(lines.map(({ id }) => id));
  const strays = copies
    .filter(({ id, attempt }) => !known.has(id) && !unread.includes(attempt))
    .map(({ id, attempt, gateway, currency }) => ({ id, attempt, gateway, currency }));
  const all: Line[] = [
    ...lines,
    ...strays.map((stray) => ({ ...stray, ledger: null, provider: null })),
  ];
  const differences = all
    .map((line) => {
      const copy = copies.find(({ id }) => id === line.id)?.amount ?? null;
      return { account, ...line, copy: pending.includes(line.id) ? line.ledger : copy };
    })
    .filter(({ ledger, provider, copy }) => ledger !== provider || ledger !== copy);
  return { unread: unread.map((attempt) => ({ account, attempt })), differences };
}

/**
 * `GET /check?after=ACCOUNT` compares a page of accounts: the object's ledger, its copy in D1, and what
 * the gateways say now, before anything is brought into line. `next` is what to ask after; null at the
 * end. `unread` are attempts whose gateway did not answer; the others of their account are compared.
 */
export const reconcile = createHandlers(async (c) => {
  const after = c.req.query('after') ?? '';
  if (after.length > 100) throw new Refusal('malformed_body');
  const accounts = await buyersAfter(c.env.DB, after, page);
  const copies = await copiesOf(c.env.DB, accounts);
  const checked = await Promise.all(
    accounts.map((account) =>
      checkOne(account, netted(copies.filter((copy) => copy.account === account)), c.env),
    ),
  );
  return c.json({
    data: {
      checked: checked.filter(({ unread }) => unread.length === 0).length,
      unread: checked.flatMap(({ unread }) => unread),
      differences: checked.flatMap(({ differences }) => differences),
      next: accounts.length === page ? (accounts.at(-1) ?? null) : null,
    },
  });
});
