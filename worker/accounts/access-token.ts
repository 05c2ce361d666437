import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { sign, verify } from 'hono/jwt';
import type { App, Env } from '../env.ts';
import { Refusal } from '../errors.ts';
import { signingSecret, verificationSecrets } from '../http/signing-secret.ts';
import { accountById, type KnownAccount } from './account-table.ts';

/** Seconds that a token lives, and the rest of them at which an answer brings the next one. */
const lifetime = 60 * 60;
const renewal = 15 * 60;

/** So that nothing else that is ever signed with the secret passes for an access token. */
const audience = 'access';

const seconds = () => Math.floor(Date.now() / 1000);

/** Whom a token lets in, and how. */
export interface Session {
  /** Id of the account. */
  account: string;
  /** The account's epoch at sign-in; the session ends with it. */
  epoch: number;
  /** Whether the app has it, which may only look as long as the mailbox is not verified. */
  app?: boolean;
}

/** An access token of a session: signed, 60 minutes. */
export function accessToken(env: Env, { account, epoch, app }: Session): Promise<string> {
  const claims = { sub: account, aud: audience, exp: seconds() + lifetime, epoch };
  return sign(app ? { ...claims, app } : claims, signingSecret(env), 'HS256');
}

export interface SessionVariables {
  /** Id of the account that the bearer token names. */
  account: string;
  /** That account, and whether the app sent the request. */
  session: KnownAccount & { app: boolean };
}

interface Claims extends Session {
  /** Seconds that are left. */
  left: number;
}

async function verified(secret: string, token: string): Promise<Claims | null> {
  try {
    const { sub, exp, epoch, app } = await verify(token, secret, { alg: 'HS256', aud: audience });
    if (typeof sub !== 'string' || typeof exp !== 'number' || typeof epoch !== 'number')
      return null;
    return { account: sub, epoch, app: app === true, left: exp - seconds() };
  } catch {
    return null;
  }
}

/** What the bearer token says; null when it is not one of ours or is over. */
async function claimsIn(c: Context<App>): Promise<Claims | null> {
  const header = c.req.header('authorization') ?? '';
  const token = /^bearer ([\w.-]{1,1024})$/i.exec(header)?.[1];
  if (!token) return null;
  for (const secret of verificationSecrets(c.env)) {
    const claims = await verified(secret, token);
    if (claims) return claims;
  }
  return null;
}

/** The account of a session, unless it was deleted or its epoch is over. */
async function accountOf(c: Context<App>, claims: Claims | null): Promise<KnownAccount | null> {
  const account = claims && (await accountById(c.env.DB, claims.account));
  return account?.epoch === claims?.epoch ? account : null;
}

/** The account of the bearer token, where a call may come without one; null when there is none. */
export const accountOfToken = async (c: Context<App>): Promise<KnownAccount | null> =>
  accountOf(c, await claimsIn(c));

/** Refuses what only the account's own browser may do, to any other session: see `Session.app`. */
export function requireOwner({ var: { session } }: Context<App>): void {
  if (session.app && session.verifiedAt === null) throw new Refusal('email_unverified');
}

/**
 * Puts the account of the bearer token into `c.var.account`, or refuses `unauthorized`. Near the
 * token's end the answer carries the next one in `X-Access-Token`.
 */
export const bearer = createMiddleware<App>(async (c, next) => {
  const claims = await claimsIn(c);
  if (!claims) throw new Refusal('unauthorized');
  // First the whole body: one that comes slowly must not act for a session that ended meanwhile.
  const reads = c.req.method === 'GET';
  if (!reads) await c.req.arrayBuffer();
  const account = await accountOf(c, claims);
  if (!account) throw new Refusal('unauthorized');
  const { epoch, app = false } = claims;
  c.set('account', account.id);
  c.set('session', { ...account, app });
  if (!reads) requireOwner(c);
  await next();
  c.header('Cache-Control', 'no-store');
  if (claims.left < renewal) {
    c.header('X-Access-Token', await accessToken(c.env, { account: account.id, epoch, app }));
  }
});
