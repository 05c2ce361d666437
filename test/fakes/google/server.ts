import { readFile } from 'node:fs/promises';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { css, framePage, script } from '../frame-pages.ts';
import { type Person, people } from './people.ts';

const interFile = new URL(
  '../../../node_modules/@fontsource-variable/inter/files/inter-latin-standard-normal.woff2',
  import.meta.url,
);
const buttonCss = `@font-face{font-family:Roboto;font-weight:100 900;src:url(font)}
html,body{margin:0;height:100%;background:none}
svg{width:18px;height:18px}
button{display:flex;align-items:center;justify-content:center;gap:10px;
box-sizing:border-box;width:100%;height:40px;padding:0 12px;border:1px solid #747775;
border-radius:4px;background:#fff;color:#1f1f1f;font:500 14px Roboto,arial,sans-serif;cursor:pointer}
button.dark{border-color:#8e918f;background:#131314;color:#e3e3e3}`;
const selectCss = `:root{color-scheme:light}body{margin:0;padding:24px;font:16px system-ui,sans-serif;color:#1f1f1f}
h1{font-size:22px;font-weight:400;margin:0 0 8px}p{margin:0 0 16px;color:#444746}
button{display:block;width:100%;min-height:48px;margin:0 0 8px;padding:8px 16px;border:1px solid #c4c7c5;
border-radius:8px;background:#fff;color:inherit;font:inherit;text-align:start;cursor:pointer}`;
const pages: Record<string, () => Response | Promise<Response>> = {
  client: () => script(new URL('./browser/client.ts', import.meta.url)),
  style: () => css('.g_id_signin iframe{border:0;color-scheme:light}'),
  button: () => framePage('Sign in with Google', 'button', { api: "; font-src 'self'" }),
  // Our own font, in place of Google's.
  font: async () => new Response(await readFile(interFile)),
  'button.js': () => script(new URL('./browser/button.ts', import.meta.url)),
  'button.css': () => css(buttonCss),
  select: () => framePage('Sign in: the Google fake', 'select'),
  'select.js': () => script(new URL('./browser/select.ts', import.meta.url)),
  'select.css': () => css(selectCss),
};

/**
 * The script of Google's button, and the pages of its frame and account chooser.
 *
 * @param pathname below `accounts.google.com`
 * @returns null for any other path
 */
async function googlePages(pathname: string): Promise<Response | null> {
  const [, name = ''] = /^\/gsi\/([a-z.]+)$/.exec(pathname) ?? [];
  return (await pages[name]?.()) ?? null;
}

const kid = 'fake';
const json = (body: unknown, status = 200) =>
  Response.json(body, { status, headers: { 'cache-control': 'public, max-age=600' } });

/**
 * Signs credentials that are valid for an hour; each has an id of its own.
 * https://developers.google.com/identity/gsi/web/reference/js-reference#credential
 */
function credentialSigner(privateKey: CryptoKey) {
  return ({ silent: _, ...person }: Person, audience: string): Promise<string> =>
    new SignJWT({ ...person, azp: audience, jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
      .setIssuer('https://accounts.google.com')
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey);
}

/**
 * Google's sign-in: public keys, the button's script, and the pages of its frame and account chooser.
 * @returns a fetch that returns null for any other URL
 */
export function createGoogle(): (request: Request) => Promise<Response | null> {
  let keyPair: Promise<CryptoKeyPair> | undefined;
  const pair = () => {
    keyPair ??= generateKeyPair('RS256', { extractable: true });
    return keyPair;
  };
  return async (request) => {
    const { hostname, pathname } = new URL(request.url);
    if (hostname === 'www.googleapis.com') {
      if (pathname !== '/oauth2/v3/certs') return null;
      const jwk = await exportJWK((await pair()).publicKey);
      return json({ keys: [{ ...jwk, kid, alg: 'RS256', use: 'sig' }] });
    }
    if (request.method !== 'POST' || pathname !== '/gsi/credential') return googlePages(pathname);
    const { person, audience } = (await request.json()) as { person: string; audience: string };
    const known = people[person];
    if (!known || !audience) return json({ error: 'invalid_request' }, 400);
    const sign = credentialSigner((await pair()).privateKey);
    return json({ credential: known.silent ? null : await sign(known, audience) });
  };
}
