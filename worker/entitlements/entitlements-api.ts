import { timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { bearer } from '../accounts/access-token.ts';
import { accountById } from '../accounts/account-table.ts';
import { createHandlers } from '../http/handlers.ts';
import { activeAt, type Entitlements } from '../payments/purchase/entitlements.ts';
import { accountDatabase } from '../platform/account-databases.ts';
import type { App, Env } from '../platform/env.ts';
import { Refusal, Unavailable } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { type AccountId, accountIdOf } from '../platform/types.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import { copiedEntitlements } from './entitlement-table.ts';
import { entitlementDocument } from './rules/document.ts';
import { serverKeyHashes } from './settings.ts';

/** An app waits for the response; a healthy object takes a few milliseconds. */
const timeoutMs = 3_000;

interface Found {
  entitlements: Entitlements;
  /** The account's object, or D1's copy if the object does not respond. */
  source: 'account' | 'copy';
}

async function fromObject(env: Env, account: AccountId): Promise<Entitlements> {
  const entitlements = env.PURCHASES.getByName(account).entitlements();
  return withTimeout(entitlements, timeoutMs, () => new Unavailable('PURCHASES', 'timeout'));
}

/** @throws Unavailable when neither responds: an empty list would lock a paying account out */
async function read(env: Env, account: AccountId, log: Log): Promise<Found> {
  try {
    return { entitlements: await fromObject(env, account), source: 'account' };
  } catch (error) {
    const copy = await copiedEntitlements(accountDatabase(env, account), account);
    if (!copy) throw error;
    log('warn', 'entitlements_served_from_copy', { account });
    const active = activeAt(copy.active, Date.now());
    return { entitlements: { ...copy, active }, source: 'copy' };
  }
}

const respond = (c: Context<App>, account: AccountId, { entitlements, source }: Found) =>
  c.json({ data: { ...entitlementDocument({ ...entitlements, account }), source } }, 200, {
    'cache-control': 'no-store',
  });

export const getEntitlements = createHandlers(bearer, async (c) => {
  const { account } = c.var;
  return respond(c, account, await read(c.env, account, c.var.log));
});

const bytesOf = (hex: string) => Buffer.from(hex, 'hex');

/** @throws Refusal `unauthorized` */
export const serverKey = createMiddleware<App>(async (c, next) => {
  const key = /^bearer ([\w.-]{32,200})$/i.exec(c.req.header('authorization') ?? '')?.[1];
  if (!key) throw new Refusal('unauthorized');
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key));
  const given = Buffer.from(digest);
  const isKnown = serverKeyHashes(c.env)
    .map(bytesOf)
    .some((hash) => hash.length === given.length && timingSafeEqual(hash, given));
  if (!isKnown) throw new Refusal('unauthorized');
  await next();
});

/** For the app's server. `not_found`: the account does not exist and never bought anything. */
export const getAccountEntitlements = createHandlers(serverKey, async (c) => {
  const account = accountIdOf(c.req.param('account') ?? '');
  const found = await read(c.env, account, c.var.log);
  const everHad = found.entitlements.version > 0;
  if (!everHad && !(await accountById(accountDatabase(c.env, account), account)))
    throw new Refusal('not_found');
  return respond(c, account, found);
});
