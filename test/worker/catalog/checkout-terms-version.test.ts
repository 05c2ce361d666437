import { env } from 'cloudflare:test';
import { afterEach, expect, test, vi } from 'vitest';
import { encodeServedAt, shownTerms } from '../../../worker/catalog/checkout-terms.ts';
import { builtInCatalog } from '../../../worker/catalog/rules/catalog.ts';
import { overrideTexts } from '../../../worker/content/translations.ts';
import type { OwnedSubscription } from '../../../worker/payments/subscriptions/owned-subscription.ts';
import { minor } from '../../../worker/platform/types.ts';
import { stubStripe } from '../payments/payments-fixture.ts';
import {
  card,
  pollingId,
  pollUntilDone,
  requestPurchase,
  signedInHeaders,
  stubOf,
} from '../payments/purchase-helpers.ts';
import { readLanguage } from '../read-language.ts';
import { refusalOf, request } from '../request.ts';

afterEach(() => {
  overrideTexts('de', null);
  overrideTexts('en', null);
});

const hour = 3_600_000;
const evening = Date.parse('2026-12-15T20:40Z');
const plan = builtInCatalog.planOf('monthly_7d', 'EUR');
const german = { 'cf-ipcountry': 'DE', 'accept-language': 'de' };

/** A page for a visitor in Germany, and its signed fingerprint. */
async function visited(path: string) {
  const html = await (await request(path, { headers: german })).text();
  return { html, fingerprint: /data-terms="([^"]*)"/.exec(html)?.[1] ?? '' };
}

const checkout = async () => (await visited('/checkout_v3_tr')).fingerprint;
const shown = async (fingerprint: string, now = evening) => {
  const result = await shownTerms(fingerprint, plan, minor(499), {
    ...{ now, catalog: builtInCatalog },
    load: readLanguage,
  });
  return result.kind === 'terms' ? result.terms : result;
};
const termsChanged = { kind: 'refused', refusal: 'terms_changed' };

test('terms fingerprint: a purchase stores the terms of its page with their version', async () => {
  stubStripe();
  const headers = { ...(await signedInHeaders()), 'cf-ipcountry': 'US' };
  const { html, fingerprint } = await visited('/checkout_v3_tr');
  const [version] = fingerprint.split('|');
  const family = /monthly_\dd/.exec(html)?.[0] ?? 'monthly';
  const body = card('pm_card_visa', { terms_shown: fingerprint });
  await pollUntilDone(await pollingId(`${family}_eur`, body, headers));
  const [subscription]: OwnedSubscription[] = await stubOf(headers).ownedSubscriptions();
  // The displayed terms count, although the purchase itself comes from elsewhere.
  expect(subscription?.terms).toMatchObject({ version, language: 'de', market: 'euro' });
  const lines = subscription?.terms?.text.split('\n') ?? [];
  const plain = (text: string) => text.replace(/\s/g, ' ');
  expect(plain(html)).toContain(plain(lines[3] ?? 'nothing'));
  // Today's payment, and each renewal.
  expect(lines[1]).toMatch(/^Heute zahlst du \d+,\d\d\s€$/);
  expect(lines[2]).toMatch(/^Danach .*\d+,\d\d\s€/);
  for (const [price] of lines
    .slice(1, 3)
    .join()
    .matchAll(/\d+,\d\d\s€/g))
    expect(plain(html)).toContain(plain(price));
  expect(lines.at(-1)).toBe('Zahlungspflichtig bestellen');
  expect(html).toContain('Zahlungspflichtig bestellen');
});

test('terms fingerprint: with tax, a page in the US states that prices include it, and purchases store these terms', async () => {
  stubStripe();
  const taxed = { ...env, STRIPE_TAX: 'true' };
  const headers = { 'cf-ipcountry': 'US', 'cf-connecting-ip': '203.0.113.7' };
  const pageWith = async (path: string, variables: typeof env) =>
    (await request(path, { headers }, variables)).text();
  // An isolate caches a page by market, because its variables do not change.
  expect(await pageWith('/upsell_guide', env)).not.toContain('Includes all taxes.');
  expect(await pageWith('/upsell_an_private', taxed)).toContain('Includes all taxes.');
  const html = await pageWith('/checkout_v3_tr', taxed);
  expect(html).toContain('Includes all taxes.');
  const terms_shown = /data-terms="([^"]*)"/.exec(html)?.[1] ?? '';
  const family = /monthly_\dd/.exec(html)?.[0] ?? 'monthly';
  const buyer = { ...(await signedInHeaders()), ...headers, 'content-type': 'application/json' };
  const body = JSON.stringify(card('pm_card_visa', { terms_shown }));
  const path = `/api/v1/users/me/subscriptions/polling/${family}_usd`;
  const response = await request(path, { method: 'POST', headers: buyer, body }, taxed);
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as { data: { polling_result_id: string } };
  await pollUntilDone(data.polling_result_id);
  const [subscription]: OwnedSubscription[] = await stubOf(buyer).ownedSubscriptions();
  expect(subscription?.terms?.text).toContain('Includes all taxes.');
  const attempt = await stubOf(buyer).result(data.polling_result_id);
  expect(attempt?.taxLocation).toEqual({ country: 'US', market: 'us', ip: null });
});

test('terms fingerprint: a purchase without a fingerprint has no version', async () => {
  stubStripe();
  const headers = await signedInHeaders();
  await pollUntilDone(await pollingId('monthly_usd', card(), headers));
  const [subscription]: OwnedSubscription[] = await stubOf(headers).ownedSubscriptions();
  expect(subscription?.terms?.version).toBeNull();
});

test('terms fingerprint: dates are those of the page, not of the click', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: evening });
  const now = await shown(await checkout(), evening + 5 * hour);
  expect(now).toMatchObject({
    text: expect.stringContaining('22. Dezember'),
    at: evening + 5 * hour,
  });
});

test.each([
  ['a day later', 24 * hour + 15 * 60_000],
  ['before it was served', -hour],
])('terms fingerprint: a page is refused %s', async (_, later) => {
  vi.useFakeTimers({ toFake: ['Date'], now: evening });
  const fingerprint = await checkout();
  expect(await shown(fingerprint)).toMatchObject({ language: 'de' });
  expect(await shown(fingerprint, evening + later)).toEqual(termsChanged);
});

test('terms fingerprint: changed terms are refused and nothing is charged', async () => {
  const bank = stubStripe();
  const fingerprint = await checkout();
  overrideTexts('de', { 'screens.checkout.cancel': 'Kündigen geht nicht.' });
  const headers = await signedInHeaders();
  const body = card('pm_card_visa', { terms_shown: fingerprint });
  const refused = await refusalOf(await requestPurchase('monthly_eur', body, headers));
  expect(refused.slice(0, 2)).toEqual([409, 'terms_changed']);
  expect(bank.captures()).toEqual([]);
  overrideTexts('de', null);
  await pollUntilDone(await pollingId('monthly_eur', body, headers));
  expect(bank.captures()).toHaveLength(1);
});

test('terms fingerprint: a return from the bank is not checked again', async () => {
  stubStripe();
  const headers = await signedInHeaders();
  const body = card('pm_card_visa', { terms_shown: await checkout() });
  const id = await pollingId('monthly_eur', body, headers);
  await pollUntilDone(id);
  overrideTexts('de', { 'screens.checkout.cancel': 'Kündigen geht nicht.' });
  expect(await pollingId('monthly_eur', body, headers)).toBe(id);
});

test.each([
  ['another version', (parts: string[]) => parts.with(0, '0'.repeat(16))],
  ['a language that is none', (parts: string[]) => parts.with(1, 'xx')],
  ['a market without euros', (parts: string[]) => parts.with(2, 'us')],
  ['a market that is none', (parts: string[]) => parts.with(2, '__proto__')],
  ['no time', (parts: string[]) => parts.with(3, '')],
  ['a zone that is none', (parts: string[]) => parts.with(4, 'Mars/Base')],
  ['nothing', () => []],
])('terms fingerprint: a fingerprint with %s is refused', async (_, change) => {
  vi.useFakeTimers({ toFake: ['Date'], now: evening });
  const fingerprint = await checkout();
  expect(fingerprint.split('|')[3]).toBe(encodeServedAt(evening));
  expect(await shown(change(fingerprint.split('|')).join('|'))).toEqual(termsChanged);
});

test('terms fingerprint: only pages that sell have a fingerprint', async () => {
  expect((await visited('/one_pager')).fingerprint).toBe('');
  expect((await visited('/upsell_an_private')).fingerprint.split('|')).toHaveLength(7);
});
