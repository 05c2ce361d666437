import type { D1Database } from '@cloudflare/workers-types';
import { productOf } from '../../catalog/rules/catalog.ts';
import { lateYes } from '../../catalog/rules/late-yes.ts';
import type { PlanId } from '../../catalog/rules/plans.ts';
import { needsYes } from '../../catalog/rules/price-consent.ts';
import { liveSale } from '../../experiments/live-catalog.ts';
import { pageOfAll } from '../../platform/account-databases.ts';
import type { Env } from '../../platform/env.ts';
import { Refusal } from '../../platform/errors.ts';
import type { AccountId, EpochMs } from '../../platform/types.ts';
import type { RaiseRow } from './price-raises.ts';

interface Subscriber {
  account: AccountId;
  /** Of the sign-up; null for an account that was deleted or lost. */
  country: string | null;
}

export type RaisedSubscription = RaiseRow & Subscriber;

async function subscribersAfter(
  db: D1Database,
  plans: readonly PlanId[],
  after: string,
  limit: number,
): Promise<Subscriber[]> {
  const { results } = await db
    .prepare(
      `SELECT DISTINCT account_id AS account, accounts.country AS country
       FROM subscriptions LEFT JOIN accounts ON accounts.id = account_id
       WHERE account_id > ?1 AND plan IN (SELECT value FROM json_each(?2))
       ORDER BY account_id LIMIT ?3`,
    )
    .bind(after, JSON.stringify(plans), limit)
    .all<Subscriber>();
  return results;
}

const accountsPerPage = 20;

/** @param version such as `monthly@2` @throws Refusal for one that is not sold, or does not renew */
export async function raisePage(
  env: Env,
  {
    version,
    from,
    after,
    isStart,
  }: { version: string; from: EpochMs; after: string; isStart: boolean },
): Promise<{ rows: RaisedSubscription[]; next: string | null }> {
  const { catalog, unsold } = await liveSale(env);
  const family = catalog.resolve(version);
  const product = productOf(version);
  const all = catalog.plansOfProduct(product);
  const plans = all.filter((plan) => plan.family === family && plan.period !== 'once');
  const isSold = (country: string) => catalog.resolve(product, country) === family;
  if (plans.length === 0 || !['', ...catalog.countries].some(isSold))
    throw new Refusal('malformed_body', 'version');
  const ids = all.map(({ id }) => id);
  const page = await pageOfAll(env, after, accountsPerPage, (db, isContinued, limit) =>
    subscribersAfter(db, ids, isContinued ? after : '', limit),
  );
  const rows: RaisedSubscription[] = [];
  for (const { account, country } of page) {
    // Another price may be sold there.
    if (!isSold(country ?? '') || country === lateYes) continue;
    const terms = { plans, from, needsYes: needsYes(country), unsold, isStart };
    const own = await env.PURCHASES.getByName(account).raisePrices(terms);
    rows.push(...own.map((row) => ({ account, country, ...row })));
  }
  const next = page.length === accountsPerPage ? (page.at(-1)?.account ?? null) : null;
  return { rows, next };
}
