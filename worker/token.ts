import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { sign, verify } from 'hono/jwt';
import type { App, Env } from './env.ts';
import { Refusal } from './errors.ts';

/** Seconds that a token lives, and the rest of them at which an answer brings the next one. */
const lifetime = 60 * 60;
const renewal = 15 * 60;

/** So that nothing else that is ever signed with the secret passes for an access token. */
const audience = 'access';

const seconds = () => Math.floor(Date.now() / 1000);

/** The secret that everything of ours is signed with. */
export function secretOf(env: Env): string {
  // A short secret would let anybody sign tokens of any account.
  if (!(env.TOKEN_SECRET?.length >= 32)) throw new Error('TOKEN_SECRET needs 32 characters');
  return env.TOKEN_SECRET;
}

/** An access token of an account: signed, 60 minutes. */
export function accessToken(env: Env, account: string): Promise<string> {
  const claims = { sub: account, aud: audience, exp: seconds() + lifetime };
  return sign(claims, secretOf(env), 'HS256');
}

/** What a token says, null when it is not one of ours or is over. */
async function claimsOf(
  env: Env,
  token: string,
): Promise<{ account: string; left: number } | null> {
  const secret = secretOf(env);
  try {
    const { sub, exp } = await verify(token, secret, { alg: 'HS256', aud: audience });
    if (typeof sub !== 'string' || typeof exp !== 'number') return null;
    return { account: sub, left: exp - seconds() };
  } catch {
    return null;
  }
}

function claimsIn(c: Context<App>) {
  const header = c.req.header('authorization') ?? '';
  const token = /^bearer ([\w.-]{1,1024})$/i.exec(header)?.[1];
  return token ? claimsOf(c.env, token) : null;
}

/** The account of the bearer token, where a call may come without one; null when there is none. */
export async function accountIn(c: Context<App>): Promise<string | null> {
  return (await claimsIn(c))?.account ?? null;
}

/**
 * Puts the account of the bearer token into `c.var.account`, or refuses `unauthorized`. Near the
 * token's end the answer carries the next one in `X-Access-Token`.
 */
export const bearer = createMiddleware<App>(async (c, next) => {
  const claims = await claimsIn(c);
  if (!claims) throw new Refusal('unauthorized');
  c.set('account', claims.account);
  await next();
  c.header('Cache-Control', 'no-store');
  if (claims.left < renewal) c.header('X-Access-Token', await accessToken(c.env, claims.account));
});
