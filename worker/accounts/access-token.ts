import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { sign, verify } from 'hono/utils/jwt/jwt';
import { accountDatabase } from '../platform/account-databases.ts';
import { type App, type Env, isSynthetic } from '../platform/env.ts';
import { Refusal } from '../platform/errors.ts';
import { signingSecret, verificationSecrets } from '../platform/hmac.ts';
import { type AccountId, accountIdOf } from '../platform/types.ts';
import { accountById, type KnownAccount } from './account-table.ts';

const lifetimeSeconds = 60 * 60;
/** A token with less time left is renewed by the next response. */
const renewalSeconds = 15 * 60;

/** Separates tokens from other values that the secret signs. `card` is for the card page only. */
type Audience = 'access' | 'card';
const cardLifetimeSeconds = 30 * 60;

const nowSeconds = () => Math.floor(Date.now() / 1000);

export interface Session {
  account: AccountId;
  /** The account's epoch at sign-in; the session ends with it. */
  epoch: number;
  /** Whether it is the app's token, which is read-only until the mailbox is verified. */
  app?: boolean;
}

export function accessToken(env: Env, { account, epoch, app }: Session): Promise<string> {
  const claims = { sub: account, aud: 'access', exp: nowSeconds() + lifetimeSeconds, epoch };
  return sign(app ? { ...claims, app } : claims, signingSecret(env), 'HS256');
}

/** Accepted only by `cardBearer`; valid for 30 minutes, never renewed. */
export function cardToken(env: Env, { account, epoch }: Session): Promise<string> {
  const claims = { sub: account, aud: 'card', exp: nowSeconds() + cardLifetimeSeconds, epoch };
  return sign(claims, signingSecret(env), 'HS256');
}

export interface SessionVariables {
  account: AccountId;
  session: KnownAccount & { app: boolean };
}

interface Claims extends Session {
  audience: Audience;
  secondsLeft: number;
}

async function verified(secret: string, token: string, aud: Audience[]): Promise<Claims | null> {
  try {
    const { sub, exp, epoch, app, ...rest } = await verify(token, secret, { alg: 'HS256', aud });
    if (typeof sub !== 'string' || typeof exp !== 'number' || typeof epoch !== 'number')
      return null;
    const audience = rest.aud === 'card' ? 'card' : 'access';
    const secondsLeft = exp - nowSeconds();
    return { account: accountIdOf(sub), epoch, app: app === true, audience, secondsLeft };
  } catch {
    // Forged, expired or cut off.
    return null;
  }
}

async function claimsOf(
  c: Context<App>,
  audiences: Audience[],
  name = 'authorization',
): Promise<Claims | null> {
  const header = c.req.header(name) ?? '';
  const token = /^bearer ([\w.-]{1,1024})$/i.exec(header)?.[1];
  if (!token) return null;
  for (const secret of verificationSecrets(c.env)) {
    const claims = await verified(secret, token, audiences);
    if (claims) return claims;
  }
  return null;
}

async function accountOf(c: Context<App>, claims: Claims | null): Promise<KnownAccount | null> {
  const account =
    claims && (await accountById(accountDatabase(c.env, claims.account), claims.account));
  return account?.epoch === claims?.epoch ? account : null;
}

/** @param header that has the token */
export const accountOfToken = async (
  c: Context<App>,
  header?: string,
): Promise<KnownAccount | null> => accountOf(c, await claimsOf(c, ['access'], header));

export const bearsOurToken = async (c: Context<App>): Promise<boolean> =>
  (await claimsOf(c, ['access', 'card'])) !== null;

/** The synthetic visitor's mailbox cannot be verified. @throws Refusal `email_unverified` */
export function requireMailbox({ env, var: { session } }: Context<App>): void {
  if (session.verifiedAt === null && !isSynthetic(env)) throw new Refusal('email_unverified');
}

const bearerOf = (...audiences: Audience[]) =>
  createMiddleware<App>(async (c, next) => {
    const claims = await claimsOf(c, audiences);
    if (!claims) throw new Refusal('unauthorized');
    // Reads the whole body first: a slow body must not act for a session that ended meanwhile.
    const isRead = c.req.method === 'GET';
    if (!isRead) await c.req.arrayBuffer();
    const account = await accountOf(c, claims);
    if (!account) throw new Refusal('unauthorized');
    const { epoch, app = false, audience } = claims;
    c.set('account', account.id);
    c.set('session', { ...account, app });
    if (!isRead && app) requireMailbox(c);
    await next();
    c.header('Cache-Control', 'no-store');
    if (audience === 'access' && claims.secondsLeft < renewalSeconds) {
      c.header('X-Access-Token', await accessToken(c.env, { account: account.id, epoch, app }));
    }
  });

/** Sets `c.var.session`. Near the token's end the response has the next one in `X-Access-Token`. */
export const bearer = bearerOf('access');

/** Also admits the token of a card link. Only for the calls of the card page. */
export const cardBearer = bearerOf('access', 'card');
