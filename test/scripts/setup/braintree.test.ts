import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { checkBraintree } from '../../../scripts/setup/braintree.ts';
import { builtInCatalog } from '../../../worker/catalog/rules/catalog.ts';
import { readBraintreeWebhook } from '../../../worker/payments/gateways/braintree/webhook.ts';
import type { Env } from '../../../worker/platform/env.ts';
import { merchant } from '../../fakes/braintree/client-api.ts';
import { type BraintreeOptions, createBraintree } from '../../fakes/braintree/server.ts';

const site = 'https://funnel.example';
const env = {
  BRAINTREE_MERCHANT_ID: merchant.id,
  BRAINTREE_PUBLIC_KEY: merchant.publicKey,
  BRAINTREE_PRIVATE_KEY: merchant.privateKey,
  BRAINTREE_ENVIRONMENT: 'sandbox',
  BRAINTREE_MERCHANT_ACCOUNTS: '{"USD":"funnel_usd","EUR":"funnel_eur"}',
} as Env;

/** Braintree, and a site with these keys. */
function serve(options: BraintreeOptions = {}, siteEnv = env): void {
  const fake = createBraintree(options);
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (!String(url).startsWith(site)) return fake.fetch(url, init);
    const posted = { body: String(init?.body), headers: new Headers() };
    const event = await readBraintreeWebhook(siteEnv, posted, Date.now());
    return new Response(null, { status: event ? 200 : 400 });
  });
}

beforeEach(() => serve());
afterEach(() => void vi.unstubAllGlobals());

describe('setup of Braintree', () => {
  test('prints nothing if the account matches the catalog', async () => {
    expect(await checkBraintree(env, site, builtInCatalog)).toEqual([]);
  });

  test.each<[string, Partial<Env>, string]>([
    [
      'a currency without merchant account',
      { BRAINTREE_MERCHANT_ACCOUNTS: '{"USD":"funnel_usd"}' },
      'BRAINTREE_MERCHANT_ACCOUNTS has no merchant account for EUR.',
    ],
    [
      'a merchant account that does not exist',
      { BRAINTREE_MERCHANT_ACCOUNTS: '{"USD":"funnel_usd","EUR":"nowhere"}' },
      'Merchant account nowhere for EUR does not exist.',
    ],
    [
      'a merchant account of another currency',
      { BRAINTREE_MERCHANT_ACCOUNTS: '{"USD":"funnel_usd","EUR":"funnel_usd"}' },
      'Merchant account funnel_usd takes USD, not EUR.',
    ],
    [
      'a plan that does not exist',
      { BRAINTREE_PLANS: '{"monthly_usd":"gone"}' },
      'Plan gone (monthly_usd): it does not exist. Create gone 39.99 USD under Subscriptions: name “Monthly plan”, billed every month, no end.',
    ],
  ])('names %s', async (_what, more, problem) => {
    expect(await checkBraintree({ ...env, ...more }, site, builtInCatalog)).toContain(problem);
  });

  test('reports a missing discount', async () => {
    serve({ discounts: [] });
    expect((await checkBraintree(env, site, builtInCatalog)).join('\n')).toContain(
      'UPSELL30 does not exist',
    );
  });

  test('reports a site with other keys', async () => {
    serve({}, { ...env, BRAINTREE_PRIVATE_KEY: 'another' });
    expect((await checkBraintree(env, site, builtInCatalog)).join('\n')).toContain(
      'https://funnel.example/webhooks/braintree does not accept a notification signed with these keys (400)',
    );
  });

  test('a Braintree that does not respond causes a one-line error', async () => {
    vi.stubGlobal('fetch', async () => new Response('', { status: 503 }));
    await expect(checkBraintree(env, site, builtInCatalog)).rejects.toThrow(
      'Braintree did not answer',
    );
  });

  test('an account that is not set up is reported', async () => {
    await expect(checkBraintree({} as Env, site, builtInCatalog)).rejects.toThrow(
      'Set in [vars]: BRAINTREE_MERCHANT_ID, BRAINTREE_PUBLIC_KEY.',
    );
  });
});
