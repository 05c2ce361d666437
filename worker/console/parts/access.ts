import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { sign, verify } from 'hono/utils/jwt/jwt';
import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose';
import { hostPrefix, setCookie } from '../../http/set-cookie.ts';
import type { App } from '../../platform/env.ts';
import { type Refused, refused } from '../../platform/errors.ts';
import { signingSecret, verificationSecrets } from '../../platform/hmac.ts';
import { consoleMode } from './rules/console-mode.ts';
import { type Role, roleOf } from './rules/roles.ts';
import { signInKey } from './rules/sign-in-key.ts';

interface Person {
  email: string;
  role: Role;
}

export interface ConsoleVariables {
  person: Person;
}

type ConsoleRefusal = Refused<'unauthorized' | 'unavailable'>;

type Identity = { kind: 'person'; person: Person } | ConsoleRefusal;

const clockTolerance = '60s';

/** Keeps Access's keys, which it replaces every six weeks. */
const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>();

function keysOf(issuer: string) {
  const url = new URL(`${issuer}/cdn-cgi/access/certs`);
  const keys =
    keySets.get(issuer) ??
    createRemoteJWKSet(url, {
      timeoutDuration: 3000,
      cooldownDuration: 30_000,
      cacheMaxAge: 3_600_000,
      [customFetch]: (address, init) => fetch(address, init),
    });
  keySets.set(issuer, keys);
  return keys;
}

/** jose's errors about the keys, not the token. */
const keyErrors = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID']);

/**
 * The person that Cloudflare Access authenticated. Its application must cover `/console`. The token is also
 * verified here, because a route or preview address that Access does not cover would admit anyone.
 * https://developers.cloudflare.com/cloudflare-one/identity/authorization-cookie/validating-json/
 */
async function personOfAccess(c: Context<App>): Promise<Identity> {
  const { ACCESS_TEAM: team, ACCESS_AUDIENCE: audience = '', CONSOLE_ROLES: list = '' } = c.env;
  const token = c.req.header('cf-access-jwt-assertion') ?? getCookie(c, 'CF_Authorization');
  if (!token) return refused('unauthorized');
  const issuer = `https://${team}.cloudflareaccess.com`;
  try {
    const { payload } = await jwtVerify(token, keysOf(issuer), {
      algorithms: ['RS256'],
      issuer,
      audience,
      clockTolerance,
      requiredClaims: ['exp', 'iat'],
    });
    const email = typeof payload.email === 'string' ? payload.email : '';
    const role = email && roleOf(list, email);
    if (role) return { kind: 'person', person: { email, role } };
    c.var.log('warn', 'console_refused', { reason: email ? 'no_role' : 'no_email' });
    return refused('unauthorized');
  } catch (error) {
    const { code = '', claim, name } = error as { code?: string; claim?: string; name?: string };
    const isRefused = error instanceof errors.JOSEError && !keyErrors.has(code);
    c.var.log(isRefused ? 'warn' : 'error', 'console_refused', { reason: claim ?? (code || name) });
    return refused(isRefused ? 'unauthorized' : 'unavailable');
  }
}

const sessionSeconds = 12 * 60 * 60;
const sessionAudience = 'console';
const localPerson: Identity = {
  kind: 'person',
  person: { email: 'you@localhost', role: 'owner' },
};

/** Uses up a sign-in link. @returns false for an unknown or used link, and where Access signs people in */
export async function signInWithLink(c: Context<App>, code: string): Promise<boolean> {
  if (consoleMode(c.env) !== 'link') return false;
  const key = signInKey(code);
  if ((await c.env.FUNNEL.get(key)) === null) return false;
  await c.env.FUNNEL.delete(key);
  const exp = Math.floor(Date.now() / 1000) + sessionSeconds;
  const token = await sign({ aud: sessionAudience, exp }, signingSecret(c.env), 'HS256');
  setCookie(c, 'console', token, {
    prefix: hostPrefix(c),
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    maxAge: sessionSeconds,
  });
  return true;
}

async function personOfSession(c: Context<App>): Promise<Identity> {
  const token = getCookie(c, 'console', hostPrefix(c)) ?? '';
  for (const secret of verificationSecrets(c.env)) {
    const claims = await verify(token, secret, { alg: 'HS256', aud: sessionAudience }).catch(
      () => null,
    );
    if (claims) return localPerson;
  }
  return refused('unauthorized');
}

const identityOf = (c: Context<App>) =>
  consoleMode(c.env) === 'access' ? personOfAccess(c) : personOfSession(c);

export const requirePerson = (
  refuse: (c: Context<App>, code: ConsoleRefusal['refusal']) => Response | Promise<Response>,
) =>
  createMiddleware<App>(async (c, next) => {
    const identity = await identityOf(c);
    if (identity.kind === 'refused') return refuse(c, identity.refusal);
    c.set('person', identity.person);
    return next();
  });
