import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { googlePages } from './pages.ts';
import { type Person, people } from './people.ts';

const kid = 'fake';
const json = (body: unknown, status = 200) =>
  Response.json(body, { status, headers: { 'cache-control': 'public, max-age=600' } });

/** Signs credentials that are valid for an hour. */
function signerOf(privateKey: CryptoKey) {
  return ({ silent: _, ...person }: Person, audience: string): Promise<string> =>
    new SignJWT({ ...person, azp: audience })
      .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
      .setIssuer('https://accounts.google.com')
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey);
}

/**
 * Google's sign-in: public keys, the button's script, and the pages of its frame and account chooser.
 *
 * @returns a fetch that answers null for any other address
 */
export function createGoogle(): (request: Request) => Promise<Response | null> {
  let made: Promise<CryptoKeyPair> | undefined;
  const pair = () => {
    made ??= generateKeyPair('RS256', { extractable: true });
    return made;
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
    const sign = signerOf((await pair()).privateKey);
    return json({ credential: known.silent ? null : await sign(known, audience) });
  };
}
