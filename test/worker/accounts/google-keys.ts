import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { vi } from 'vitest';

export const clientId = 'tests.apps.googleusercontent.com';

const keysAddress = 'https://www.googleapis.com/oauth2/v3/certs';

/** The claims of a Google credential; a test changes some of them. */
export type Claims = {
  iss: string;
  aud: string;
  sub: string;
  email: string;
  email_verified: unknown;
  name: unknown;
  /** The Workspace domain. */
  hd?: string;
};

export const claims: Claims = {
  iss: 'https://accounts.google.com',
  aud: clientId,
  sub: '110169484474386276334',
  email: 'ada@example.com',
  email_verified: true,
  name: 'Ada Lovelace',
};

interface Times {
  /** Seconds from now. */
  issued?: number;
  expires?: number;
}

/** A key pair of Google's, and credentials signed with it. */
export async function googleKey(kid = 'one') {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' };
  const sign = (payload: object = claims, { issued = 0, expires = 3600 }: Times = {}) => {
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({
      jti: crypto.randomUUID(),
      ...payload,
      iat: now + issued,
      exp: now + expires,
    })
      .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
      .sign(privateKey);
  };
  return { jwk, sign };
}

/** Replaces the URL of Google's keys; any other fetch fails. */
export function publish(answer: () => Response | Promise<Response>) {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { url } = new Request(input, init);
    if (url !== keysAddress) throw new TypeError(`nobody answers ${url}`);
    const signal = init?.signal;
    const late = new Promise<never>((_resolve, reject) => {
      if (signal?.aborted) reject(signal.reason);
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
    return Promise.race([answer(), late]);
  });
}
