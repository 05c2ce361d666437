import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose';
import { Refusal } from '../errors.ts';
import type { Log } from '../log.ts';
import type { GooglePerson } from './rules/google-account.ts';

/** Where Google publishes its keys, as its discovery document says. */
const address = new URL('https://www.googleapis.com/oauth2/v3/certs');
/** Google writes itself both ways. */
const issuer = ['https://accounts.google.com', 'accounts.google.com'];
/** How far Google's clock may be from ours. */
const clockTolerance = '10s';

/** What jose says when it is the keys, and not the credential, that are wrong. */
const aboutKeys = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID']);

/** One set of keys: 10 minutes old at most, asked for at most once in 30 s, waited for 3 s. */
const keysOf = () =>
  createRemoteJWKSet(address, {
    timeoutDuration: 3000,
    cooldownDuration: 30_000,
    cacheMaxAge: 600_000,
    [customFetch]: (url, init) => fetch(url, init),
  });

/**
 * Whether Google runs the mailbox: one of Gmail, or of a Workspace domain, which `hd` names. Any other
 * e-mail it verified once, and it may have another owner by now.
 * https://developers.google.com/identity/gsi/web/guides/verify-google-id-token
 */
const isAuthoritative = (email: string, hd: unknown): boolean =>
  /@gmail\.com$/i.test(email) || (typeof hd === 'string' && hd !== '');

/** Checks Google's credentials. It keeps the keys, so that one serves a whole isolate. */
export class GoogleVerifier {
  readonly #keys = keysOf();

  /**
   * Who signed in, when Google signed it for this client, it is not over, and Google vouches for
   * the e-mail.
   *
   * @param clientId what the credential must be made for
   * @throws Refusal `google_unavailable` when its keys can not be had, `google_refused` for any
   *   other credential, `google_email_unverified` without an e-mail that it vouches for
   */
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
      const { code = '', claim, name } = error as { code?: string; claim?: string; name?: string };
      const refused = error instanceof errors.JOSEError && !aboutKeys.has(code);
      const reason = claim ?? (code || name);
      log(refused ? 'warn' : 'error', 'sign_in_refused', { vendor: 'google', reason });
      throw new Refusal(refused ? 'google_refused' : 'google_unavailable');
    }
  }
}
