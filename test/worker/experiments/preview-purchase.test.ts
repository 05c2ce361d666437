import { env } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { builtInDocuments } from '../../../worker/experiments/rules/config-documents.ts';
import type { Env } from '../../../worker/platform/env.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { open, plain } from '../open-page.ts';
import { stubStripe } from '../payments/payments-fixture.ts';
import { card, signedInHeaders } from '../payments/purchase-helpers.ts';
import { post, request, statusAndCode } from '../request.ts';

const token = 'PrEvIeWpUrChAsEoF12345';
const preview = { cookie: `preview=${token}` };
const production: Partial<Env> = { ENVIRONMENT: 'production' };
const live = {
  experiment: 'prices',
  variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
  coupons: { SPRING: { percent: 10 } },
};
const draft = { ...live, coupons: { FREE99: { percent: 99 } } };

beforeEach(async () => {
  const documents = { ...builtInDocuments, 'config.json': JSON.stringify(draft) };
  const shown = { arm: 'fullPrice', country: 'DE', lng: 'en', documents };
  await env.FUNNEL.put('config.json', JSON.stringify(live));
  await env.FUNNEL.put('flows.json', builtInDocuments['flows.json']);
  await env.FUNNEL.put(`preview/${token}`, JSON.stringify(shown));
  await vi.waitFor(async () => expect(await couponCode('SPRING', {})).toBe(200), pollTimeout);
});

async function couponCode(coupon: string, headers: Record<string, string>) {
  const response = await post('/coupons', { coupon, plan: 'monthly_usd' }, headers);
  return response.status === 200 ? 200 : (await statusAndCode(response))[1];
}

test('preview: coupons are the live ones, with and without it', async () => {
  for (const headers of [{}, preview]) {
    expect(await couponCode('SPRING', headers)).toBe(200);
    expect(await couponCode('FREE99', headers)).toBe('coupon_unknown');
  }
});

const paths = ['/users/me/subscriptions/polling/', '/users/me/subscriptions/'];
const plans = ['monthly_usd', 'monthly_eur', 'upsell_monthly_999_usd', 'guide_1799_usd'];

test('preview: nothing is sold in it, in production and elsewhere', async () => {
  const fake = stubStripe();
  const headers = { ...(await signedInHeaders()), ...preview };
  for (const path of paths)
    for (const plan of plans)
      for (const bindings of [{}, production]) {
        const body = JSON.stringify(card('pm_card_visa', { coupon: 'FREE99' }));
        const init = {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body,
        };
        const response = await request(`/api/v1${path}${plan}`, init, bindings);
        expect(await statusAndCode(response)).toEqual([409, 'preview_sells_nothing']);
      }
  expect(fake.state.customers).toEqual({});
});

test('preview: what its page showed is not sold after it has ended', async () => {
  stubStripe();
  const { html } = await open('/checkout_v3_tr', { ...preview, 'cf-ipcountry': 'US' });
  const terms_shown = plain(/data-terms="([^"]*)"/.exec(html)?.[1] ?? '');
  expect(terms_shown).toContain('monthly');
  const headers = { ...(await signedInHeaders()), 'cf-ipcountry': 'US' };
  const buy = (plan: string) =>
    post(`/users/me/subscriptions/polling/${plan}`, card('pm_card_visa', { terms_shown }), headers);
  for (const plan of ['monthly_eur', 'monthly_usd'])
    expect(await statusAndCode(buy(plan))).toEqual([409, 'terms_changed']);
});

test('preview: the API answers for the visitor’s own country', async () => {
  const abroad = { ...preview, 'cf-ipcountry': 'US' };
  const response = await request('/api/v1/cf-country', { headers: abroad });
  expect(await response.json()).toEqual({ country_code: 'US' });
});
