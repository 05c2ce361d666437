import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose';
import { Refusal } from '../platform/errors.ts';
import { type Log, reasonOf } from '../platform/log.ts';
import { textIn } from '../platform/read-json.ts';
import type { GooglePerson } from './rules/mailbox.ts';

const keysUrl = new URL('https://www.googleapis.com/oauth2/v3/certs');
const issuer = ['https://accounts.google.com', 'accounts.google.com'];
const clockTolerance = '10s';

/** jose's errors about the keys, not the credential. */
const keyErrors = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID']);

const keysOf = () =>
  createRemoteJWKSet(keysUrl, {
    timeoutDuration: 3000,
    cooldownDuration: 30_000,
    cacheMaxAge: 600_000,
    [customFetch]: (url, init) => fetch(url, init),
  });

/**
 * Whether Google runs the mailbox: Gmail, or the Workspace domain that `hd` names. Google verified any other e-mail
 * once, and it may have another owner now. https://developers.google.com/identity/gsi/web/guides/verify-google-id-token
 */
function isAuthoritative(email: string, hd: unknown): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return domain === 'gmail.com' || (typeof hd === 'string' && domain === hd.toLowerCase());
}

export class GoogleVerifier {
  readonly #keys = keysOf();

  /** @throws Refusal `google_unavailable`, `google_refused`, or `google_email_unverified` */
  async verify(credential: string, clientId: string, log: Log): Promise<GooglePerson> {
    const { sub, email, email_verified, hd, name } = await this.#claims(credential, clientId, log);
    if (typeof email !== 'string' || email_verified !== true) {
      throw new Refusal('google_email_unverified');
    }
    return {
      sub: String(sub),
      email,
      name: typeof name === 'string' ? name : '',
      authoritative: isAuthoritative(email, hd),
    };
  }

  async #claims(credential: string, audience: string, log: Log) {
    try {
      const { payload } = await jwtVerify(credential, this.#keys, {
        algorithms: ['RS256'],
        issuer,
        audience,
        clockTolerance,
        requiredClaims: ['sub', 'iat', 'exp'],
      });
      return payload;
    } catch (error) {
      const refused = error instanceof errors.JOSEError && !keyErrors.has(error.code);
      const reason = textIn(error, 'claim') ?? textIn(error, 'code') ?? reasonOf(error);
      log(refused ? 'warn' : 'error', 'sign_in_refused', { vendor: 'google', reason });
      throw new Refusal(refused ? 'google_refused' : 'google_unavailable');
    }
  }
}
