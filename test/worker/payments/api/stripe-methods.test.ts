import { expect, test, vi } from 'vitest';
import type { BankMethod } from '../../../../worker/catalog/rules/bank-methods.ts';
import type { StripeWallet } from '../../../../worker/catalog/rules/stripe-wallets.ts';
import { builtInDocuments } from '../../../../worker/experiments/rules/config-documents.ts';
import { pollTimeout } from '../../../poll-timeout.ts';
import { kvOf } from '../../kv-of.ts';
import { request, statusAndCode } from '../../request.ts';
import { bankPurchase, walletPurchase } from '../bank-fixture.ts';
import { stubGateways } from '../payments-fixture.ts';
import { cardWithTerms, signedInHeaders } from '../purchase-helpers.ts';

/** A published configuration that enables these. */
function published(enabled: { bank_methods?: readonly string[]; stripe_wallets?: string[] }) {
  const { 'config.json': text, 'flows.json': flows } = builtInDocuments;
  const documents: Record<string, string> = {
    'config.json': JSON.stringify({ ...JSON.parse(text), ...enabled }),
    'flows.json': flows,
  };
  const FUNNEL = kvOf(async (key) => documents[key] ?? null);
  return { FUNNEL, CONFIG_CACHE_SECONDS: '-1' };
}

const all = ['sepa_debit', 'ideal', 'bancontact'];
const notOffered = [409, 'method_not_offered'];

test.each([
  ['a SEPA debit where it is enabled', all, 'DE', 'sepa_debit', 'monthly_eur', {}, [200]],
  ['a SEPA debit that nobody enabled', [], 'DE', 'sepa_debit', 'monthly_eur', {}, notOffered],
  ['iDEAL in Germany', all, 'DE', 'ideal', 'monthly_eur', {}, notOffered],
  ['iDEAL in the Netherlands', all, 'NL', 'ideal', 'monthly_eur', {}, [200]],
  ['iDEAL that nobody enabled', ['sepa_debit'], 'NL', 'ideal', 'monthly_eur', {}, notOffered],
  ['Bancontact in Belgium', all, 'BE', 'bancontact', 'monthly_eur', {}, [200]],
  ['Bancontact in the Netherlands', all, 'NL', 'bancontact', 'monthly_eur', {}, notOffered],
  ['a SEPA debit for an intro', all, 'DE', 'sepa_debit', 'monthly_7d_eur', {}, notOffered],
  [
    'a SEPA debit at Braintree',
    all,
    'DE',
    'sepa_debit',
    'monthly_eur',
    { gateway: 'braintree' },
    notOffered,
  ],
] as const)('bank methods API: %s', async (_, enabled, country, bank, plan, more, expected) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { nonce } = await bankPurchase(stubGateways().stripe, bank as BankMethod);
  const headers = {
    ...(await signedInHeaders()),
    'cf-ipcountry': country,
    'content-type': 'application/json',
  };
  const variables = published({ bank_methods: enabled });
  await request('/', {}, variables);
  const body = JSON.stringify({
    ...cardWithTerms(plan, nonce ?? ''),
    payment_method: bank,
    return_path: '/checkout',
    ...more,
  });
  const path = `/api/v1/users/me/subscriptions/polling/${plan}`;
  await vi.waitFor(async () => {
    const response = await request(path, { method: 'POST', headers, body }, variables);
    const [status, code] = expected;
    if (code) expect(await statusAndCode(response)).toEqual([status, code]);
    else expect(response.status).toBe(status);
  }, pollTimeout);
});

const german = { MERCHANT_COUNTRY: 'DE' };
const both = ['link', 'paypal'];

test.each([
  ['PayPal of a European business', both, 'DE', 'paypal', german, {}, [200]],
  ['PayPal of another business', both, 'DE', 'paypal', {}, {}, notOffered],
  ['PayPal that nobody enabled', ['link'], 'DE', 'paypal', german, {}, notOffered],
  ['PayPal at Braintree', both, 'DE', 'paypal', german, { gateway: 'braintree' }, notOffered],
  ['Link', both, 'DE', 'link', {}, {}, [200]],
  ['Link that nobody enabled', [], 'DE', 'link', {}, {}, notOffered],
  ['Link of an Indian business', both, 'DE', 'link', { MERCHANT_COUNTRY: 'IN' }, {}, notOffered],
] as const)('Stripe wallets API: %s', async (...one) => {
  const [, stripe_wallets, country, wallet, more, fields, expected] = one;
  vi.useFakeTimers({ toFake: ['Date'] });
  const { nonce } = await walletPurchase(stubGateways().stripe, wallet as StripeWallet);
  const headers = {
    ...(await signedInHeaders()),
    'cf-ipcountry': country,
    'content-type': 'application/json',
  };
  const variables = { ...published({ stripe_wallets: [...stripe_wallets] }), ...more };
  await request('/', {}, variables);
  const body = JSON.stringify({
    ...cardWithTerms('monthly_eur', nonce ?? ''),
    payment_method: wallet,
    return_path: '/checkout',
    ...fields,
  });
  const path = '/api/v1/users/me/subscriptions/polling/monthly_eur';
  await vi.waitFor(async () => {
    const response = await request(path, { method: 'POST', headers, body }, variables);
    const [status, code] = expected;
    if (code) expect(await statusAndCode(response)).toEqual([status, code]);
    else expect(response.status).toBe(status);
  }, pollTimeout);
});
