import type { Currency } from '../../../catalog/markets.ts';
import type { Env } from '../../../env.ts';
import type { Log } from '../../../log.ts';
import { hasBraintree } from './credentials.ts';
import { clientToken } from './operations.ts';

/** Ms: how long the visitor waits for a token, keeps one, and is spared a vendor that fails. */
const patience = 3_000;
const lifetime = 3_600_000;
const rest = 30_000;

type Ask = (env: Env, currency: Currency) => Promise<string>;

const ask: Ask = (env, currency) => clientToken(env, { customerId: null, currency });

/** At most one a currency; it opens nothing but Braintree's card fields. */
const kept = new Map<Currency, { token: string | null; until: number }>();

const limit = (ms: number) =>
  new Promise<never>((_, fail) => {
    setTimeout(() => fail(new DOMException('too late', 'TimeoutError')), ms);
  });

/** Forgets all tokens of this isolate. */
export const clearClientTokens = (): void => kept.clear();

/**
 * What the browser needs to reach Braintree, kept for an hour by this isolate.
 *
 * @returns null without an account there, or when Braintree has no answer in time, which is logged
 */
export async function cachedClientToken(
  env: Env,
  currency: Currency,
  log: Log,
  now: number,
  { wanted = ask, wait = patience } = {},
): Promise<string | null> {
  if (!hasBraintree(env)) return null;
  const known = kept.get(currency);
  if (known && now < known.until) return known.token;
  try {
    const token = await Promise.race([wanted(env, currency), limit(wait)]);
    kept.set(currency, { token, until: now + lifetime });
    return token;
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'unknown';
    log('error', 'client_token_failed', { vendor: 'braintree', reason });
    kept.set(currency, { token: null, until: now + rest });
    return null;
  }
}
