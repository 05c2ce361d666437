import { env } from 'cloudflare:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { vi } from 'vitest';
import type { Role } from '../../../worker/console/parts/rules/roles.ts';
import { signInKey } from '../../../worker/console/parts/rules/sign-in-key.ts';
import type { Env } from '../../../worker/platform/env.ts';
import { request } from '../request.ts';

const origin = 'https://funnel.example';

/** Headers of a form sent by the console's own page. */
const own = {
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/x-www-form-urlencoded',
};

export interface Visit {
  headers?: Record<string, string>;
  more?: Partial<Env>;
}

export const open = (path: string, { headers = {}, more = {} }: Visit = {}) =>
  request(`${origin}${path}`, { headers }, more);

/** The fields of a form by name, or in their order. */
export type Fields = string[][] | Record<string, string>;

export const send = (path: string, fields: Fields, { headers = {}, more = {} }: Visit = {}) =>
  request(
    `${origin}${path}`,
    { method: 'POST', headers: { ...own, ...headers }, body: new URLSearchParams(fields) },
    more,
  );

/** Signs in with a link as `npm start` prints it. @returns the session's cookie */
export async function signIn(): Promise<Record<string, string>> {
  const code = crypto.randomUUID();
  await env.FUNNEL.put(signInKey(code), 'unused');
  const response = await send('/console/sign-in', { code });
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
  return { cookie };
}

/** The values of a page's hidden fields by name. */
export function hiddenFields(html: string): Record<string, string> {
  const found = html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
  const decode = (text: string) =>
    text
      .replaceAll('&quot;', '"')
      .replaceAll('&#x27;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
  return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, decode(value)]));
}

const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };

/** A person whom Access authenticated with this role. Other vendors do not respond meanwhile. */
export async function asRole(role: Role): Promise<Visit> {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ keys: [jwk] }));
  const token = await new SignJWT({ email: `${role}@example.com` })
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .setIssuer('https://roles.cloudflareaccess.com')
    .setAudience('aud')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey);
  const more = {
    ACCESS_TEAM: 'roles',
    ACCESS_AUDIENCE: 'aud',
    CONSOLE_ROLES: `${role}@example.com=${role}`,
  };
  return { headers: { 'cf-access-jwt-assertion': token }, more };
}
