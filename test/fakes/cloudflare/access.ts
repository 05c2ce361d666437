import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const kid = 'fake-access';

interface AccessToken {
  email: string;
  audience: string;
  /** Seconds until it expires; negative for an expired one. */
  lifetime?: number;
  /** Signed with a key that Access does not have. */
  forged?: boolean;
}

export interface AccessFake {
  fetch(request: Request): Promise<Response | null>;
  /** The token that Access puts into the cookie `CF_Authorization` and the header `Cf-Access-Jwt-Assertion`. */
  token(wanted: AccessToken): Promise<string>;
}

/**
 * The public keys of a Cloudflare Access team, and its application tokens.
 * https://developers.cloudflare.com/cloudflare-one/identity/authorization-cookie/validating-json/
 * https://developers.cloudflare.com/cloudflare-one/identity/authorization-cookie/application-token/
 */
export function createAccess(team: string): AccessFake {
  let keyPair: Promise<CryptoKeyPair> | undefined;
  const newPair = () => generateKeyPair('RS256', { extractable: true });
  const pair = () => {
    keyPair ??= newPair();
    return keyPair;
  };
  return {
    async fetch(request) {
      if (new URL(request.url).pathname !== '/cdn-cgi/access/certs') return null;
      const jwk = await exportJWK((await pair()).publicKey);
      return Response.json({ keys: [{ ...jwk, kid, alg: 'RS256', use: 'sig' }] });
    },
    async token({ email, audience, lifetime = 3600, forged = false }) {
      const { privateKey } = await (forged ? newPair() : pair());
      const now = Math.floor(Date.now() / 1000);
      return new SignJWT({ email, type: 'app', identity_nonce: 'nonce', country: 'US' })
        .setProtectedHeader({ alg: 'RS256', kid })
        .setIssuer(`https://${team}.cloudflareaccess.com`)
        .setSubject(email)
        .setAudience([audience])
        .setIssuedAt(now - 7200)
        .setNotBefore(now - 7200)
        .setExpirationTime(now + lifetime)
        .sign(privateKey);
    },
  };
}
