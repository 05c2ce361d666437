import type { Currency } from '../../../catalog/rules/currencies.ts';
import type { Env } from '../../../platform/env.ts';
import { type Log, reasonOf } from '../../../platform/log.ts';
import { withTimeout } from '../../../platform/with-timeout.ts';
import { BraintreeAmbiguousError, braintreeCredentials, graphql, hasBraintree } from './client.ts';

const timeoutMs = 3_000;
const lifetimeMs = 3_600_000;
/** After a failure Braintree is not called for this long. */
const pauseMs = 30_000;

const mutation = `mutation Token($input: CreateClientTokenInput!) {
  createClientToken(input: $input) { clientToken }
}`;

export async function createClientToken(env: Env, currency: Currency): Promise<string> {
  const config = braintreeCredentials(env);
  const clientToken = { merchantAccountId: config.merchantAccount(currency) };
  const reply = await graphql<{ createClientToken: { clientToken: string } }>(config, mutation, {
    input: { clientToken },
  });
  if (reply.kind === 'refused') throw new BraintreeAmbiguousError(`client token ${reply.codes}`);
  return reply.data.createClientToken.clientToken;
}

const cache = new Map<Currency, { token: string | null; until: number }>();

/** @param now ms since 1970 @returns null without an account, or when Braintree fails, which is logged */
export async function cachedClientToken(
  env: Env,
  currency: Currency,
  log: Log,
  { now = Date.now(), create = createClientToken, waitMs = timeoutMs } = {},
): Promise<string | null> {
  if (!hasBraintree(env)) return null;
  const cached = cache.get(currency);
  if (cached && now < cached.until) return cached.token;
  try {
    const token = await withTimeout(create(env, currency), waitMs);
    cache.set(currency, { token, until: now + lifetimeMs });
    return token;
  } catch (error) {
    const reason = reasonOf(error);
    log('error', 'client_token_failed', { vendor: 'braintree', reason });
    cache.set(currency, { token: null, until: now + pauseMs });
    return null;
  }
}
