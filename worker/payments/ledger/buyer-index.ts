import type { SyncKvStorage } from '@cloudflare/workers-types';
import { withBindingTimeouts } from '../../platform/binding-timeouts.ts';
import type { Env } from '../../platform/env.ts';
import { logger } from '../../platform/log.ts';
import { syntheticArm } from '../../platform/log-counts.ts';
import { type AccountId, accountIdOf } from '../../platform/types.ts';
import { unanswered } from '../../platform/unanswered.ts';
import type { PurchaseStorage } from '../storage/purchase-storage.ts';

const log = logger();

/** In KV, so that a loss in D1 takes no account off the list. A Worker cannot list its objects. */
const prefix = 'buyers/';
const listedKey = 'listed';

/** Called with every alarm, and so before or while an account's first attempt is sent. @returns false when KV did not answer */
export async function listBuyer(
  kv: SyncKvStorage,
  storage: PurchaseStorage,
  env: Env,
): Promise<boolean> {
  const account = storage.profile?.account;
  if (!account || kv.get(listedKey)) return true;
  if (storage.attempts().some(({ arm }) => arm === syntheticArm)) return true;
  try {
    await withBindingTimeouts(env).FUNNEL.put(prefix + account, '');
    kv.put(listedKey, true);
    return true;
  } catch (error) {
    return unanswered(log, 'FUNNEL', false)(error);
  }
}

export interface BuyerPage {
  accounts: AccountId[];
  /** The next page's; null after the last. */
  cursor: string | null;
}

/** Accounts with an attempt, in any order. @param cursor null for the first page */
export async function listedBuyers(
  env: Env,
  cursor: string | null,
  limit: number,
): Promise<BuyerPage> {
  const page = await env.FUNNEL.list({ prefix, cursor, limit });
  const accounts = page.keys.map(({ name }) => accountIdOf(name.slice(prefix.length)));
  return { accounts, cursor: page.list_complete ? null : page.cursor };
}
