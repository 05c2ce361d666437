import { env } from 'cloudflare:test';
import { expect, vi } from 'vitest';
import type { SignedUp } from '../../../worker/accounts/signup-api.ts';
import {
  encodeServedAt,
  fingerprintClaims,
  offerStamp,
} from '../../../worker/catalog/checkout-terms.ts';
import { builtInCatalog } from '../../../worker/catalog/rules/catalog.ts';
import { marketById } from '../../../worker/catalog/rules/markets.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { browserCookies } from '../accounts/browser.ts';
import { post, request } from '../request.ts';
import { auditAccount } from './payments-fixture.ts';

/** An account and its authorization header. */
export async function signedInHeaders(
  email = `${crypto.randomUUID()}@example.com`,
  { uuid: user_uuid, cookie } = browserCookies(),
) {
  const sent = { email, user_uuid, landing_type: 'split_fullPrice' };
  const { data } = (await (await post('/signup', sent, { cookie })).json()) as { data: SignedUp };
  const headers = { authorization: `Bearer ${data.access_token}` };
  stubOf(headers);
  return headers;
}

type Headers = Record<string, string>;

export const card = (payment_method_nonce = 'pm_card_visa', more: object = {}) => ({
  gateway: 'stripe',
  payment_method_nonce,
  user_data: { flow: 'default' },
  ...more,
});

/** The signature of a page that offers a plan, whatever the visitor's arm and country are. */
function termsShown(id: string): string {
  const plan = builtInCatalog.planById(id);
  const market = marketById(plan?.currency === 'EUR' ? 'euro' : 'us');
  if (!plan || !market) return '';
  const claims = fingerprintClaims(
    { catalog: builtInCatalog, language: 'en', market, families: [plan.family] },
    encodeServedAt(Date.now()),
    'UTC',
  );
  return `${claims}|${offerStamp(env.TOKEN_SECRET, claims)}`;
}

/** A card on a page that offers the plan. */
export const cardWithTerms = (plan: string, nonce: string) =>
  card(nonce, { terms_shown: termsShown(plan) });

/** The plans offered to everybody in the US without any configuration. */
const offered = /^(monthly|quarterly|upsell_monthly_999|guide_1799)_(usd|eur)$/;

/** Orders a plan for polling, from a page that offers it if not every page does. */
export const requestPurchase = (plan: string, body: object, headers: Headers) => {
  const abroad = plan.endsWith('_eur') && !('cf-ipcountry' in headers);
  const page = abroad || !offered.test(plan) ? { terms_shown: termsShown(plan) } : {};
  return post(`/users/me/subscriptions/polling/${plan}`, { ...page, ...body }, headers);
};

/** The polling id of an accepted order. */
export async function pollingId(plan: string, body: object, headers: Headers): Promise<string> {
  const response = await requestPurchase(plan, body, headers);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const { data } = (await response.json()) as { data: { polling_result_id: string } };
  return data.polling_result_id;
}

export const poll = (id: string) => request(`/api/v1/polling/get-result/${id}`);

/** The response of the first poll that is not 202. */
export async function pollUntilDone(id: string): Promise<Response> {
  return vi.waitFor(async () => {
    const response = await poll(id);
    expect(response.status).toBe(200);
    return response;
  }, pollTimeout);
}

/** The purchases object of the signed-in account. */
export function stubOf({ authorization }: { authorization: string }) {
  const [, claims = ''] = authorization.split('.');
  const { sub } = JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/')));
  const stub = env.PURCHASES.getByName(sub);
  auditAccount(stub);
  return stub;
}
