import { env } from 'cloudflare:test';
import { afterEach, expect, test } from 'vitest';
import { withSecondMonthly } from '../../../second-version.ts';
import { request, statusAndCode } from '../../request.ts';
import { stubStripe } from '../payments-fixture.ts';
import {
  card,
  pollingId,
  pollUntilDone,
  requestPurchase,
  signedInHeaders,
  stubOf,
} from '../purchase-helpers.ts';

const withSecondVersion = withSecondMonthly({ prices: { USD: 49.99, EUR: 44.99 } });

/** The documents and the time between two reads of them. */
const served = { ...env, CONFIG_CACHE_SECONDS: '0' };
const publish = (catalog: object) => env.FUNNEL.put('catalog.json', JSON.stringify(catalog));
afterEach(() => env.FUNNEL.delete('catalog.json'));

const page = async () => (await request('/checkout_v3_tr', {}, served)).text();
const stampIn = (html: string) => /data-terms="([^"]*)"/.exec(html)?.[1] ?? '';

/** The page with the documents that were just written; an isolate first serves those that it has. */
async function pageAfter(change: Promise<unknown>, isNew: (html: string) => boolean) {
  await change;
  for (let reads = 0; reads < 20; reads++) {
    const html = await page();
    if (isNew(html)) return html;
  }
  throw new Error('the change was not served');
}

test('versions: a new price is sold on new pages, the old one on pages from before, and an id without a version means what was shown', async () => {
  const fake = stubStripe();
  await env.FUNNEL.put(
    'config.json',
    JSON.stringify({
      experiment: 'e',
      variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
    }),
  );
  await env.FUNNEL.put('flows.json', JSON.stringify({ flows: {}, aliases: {} }));
  const before = stampIn(await page());
  const html = await pageAfter(publish(withSecondVersion), (text) => text.includes('monthly@2'));
  expect(html).toContain('$49.99');
  const after = stampIn(html);
  const cases = [
    ['monthly_usd', before, 3999, 'monthly_usd'],
    ['monthly@2_usd', after, 4999, 'monthly@2_usd'],
    ['monthly_usd', after, 4999, 'monthly@2_usd'],
    ['monthly_usd', null, 4999, 'monthly@2_usd'],
    ['monthly@2_usd', null, 4999, 'monthly@2_usd'],
  ] as const;
  for (const [asked, terms_shown, amount, sold] of cases) {
    const headers = await signedInHeaders();
    const id = await pollingId(asked, card('pm_card_visa', { terms_shown }), headers);
    await pollUntilDone(id);
    const [owned] = await stubOf(headers).ownedSubscriptions();
    expect([owned?.subscription.plan, owned?.amount]).toEqual([sold, amount]);
  }
  expect(fake.captures().map(({ amount }) => amount)).toEqual(cases.map(([, , amount]) => amount));
  const headers = await signedInHeaders();
  const mixed = await requestPurchase(
    'monthly@2_usd',
    card('pm_card_visa', { terms_shown: before }),
    headers,
  );
  expect(await statusAndCode(mixed)).toEqual([409, 'terms_changed']);
});

const withCountry = withSecondMonthly(
  { prices: { USD: 19.99 } },
  { sells: 1, countries: { EC: 2 } },
);

test('versions: a country has its own on its pages and at a purchase, also when the buyer travels', async () => {
  const fake = stubStripe();
  const pageFrom = async (country: string, cookie = '') => {
    const headers = { 'cf-ipcountry': country, 'accept-language': 'en', cookie };
    return (await request('/checkout_v3_tr', { headers }, served)).text();
  };
  await env.FUNNEL.put('catalog.json', JSON.stringify(withCountry));
  await expect.poll(() => pageFrom('EC')).toContain('$19.99');
  const [ecuador, peru] = [await pageFrom('EC'), await pageFrom('PE')];
  expect(ecuador).toContain('monthly@2');
  expect(ecuador).not.toContain('$39.99');
  expect(peru).toContain('$39.99');
  expect(peru).not.toContain('monthly@2');
  // Whoever pays in euros keeps them, and no country has a version in them.
  expect(await pageFrom('EC', 'currency=EUR')).toContain('€39.99');
  const cases = [
    ['EC', null, 1999, 'monthly@2_usd'],
    ['PE', null, 3999, 'monthly_usd'],
    ['US', stampIn(ecuador), 1999, 'monthly@2_usd'],
    ['EC', stampIn(peru), 3999, 'monthly_usd'],
  ] as const;
  for (const [country, terms_shown, amount, sold] of cases) {
    const headers = { ...(await signedInHeaders()), 'cf-ipcountry': country };
    const id = await pollingId('monthly_usd', card('pm_card_visa', { terms_shown }), headers);
    await pollUntilDone(id);
    const [owned] = await stubOf(headers).ownedSubscriptions();
    expect([owned?.subscription.plan, owned?.amount]).toEqual([sold, amount]);
  }
  expect(fake.captures().map(({ amount }) => amount)).toEqual(cases.map(([, , amount]) => amount));
});

test('versions: two arms sell two versions, each tab what it showed, also by an alias', async () => {
  const fake = stubStripe();
  const offer = { after: [], upsell: 'upsell_monthly_999', guide: 'guide_1799' };
  const config = {
    experiment: 'prices',
    variants: ['old', 'new'].map((key) => ({ key, weight: 50, flow: 'default' })),
    offers: {
      old: { ...offer, plans: ['monthly@1', 'quarterly'] },
      new: { ...offer, plans: ['monthly@2', 'quarterly'] },
    },
  };
  await publish(withSecondVersion);
  await env.FUNNEL.put(
    'flows.json',
    JSON.stringify({ flows: {}, aliases: { pay: 'checkout_v3_tr' } }),
  );
  await env.FUNNEL.put('config.json', JSON.stringify(config));
  const shown = async (path: string, isNew: boolean) => {
    for (let visitors = 0; visitors < 60; visitors++) {
      const html = await (await request(path, {}, served)).text();
      if (html.includes('data-terms') && html.includes('monthly@2_usd') === isNew)
        return stampIn(html);
    }
    throw new Error(`${path} was never shown so`);
  };
  await shown('/pay', true);
  const cases = [
    ['/checkout_v3_tr', false, 3999, 'monthly_usd'],
    ['/checkout_v3_tr', true, 4999, 'monthly@2_usd'],
    ['/pay', false, 3999, 'monthly_usd'],
    ['/pay', true, 4999, 'monthly@2_usd'],
  ] as const;
  for (const [path, isNew, amount, sold] of cases) {
    // Another tab of the same buyer, who has the other arm's cookies by now, shows the other version.
    const headers = await signedInHeaders();
    const terms_shown = await shown(path, isNew);
    await shown(path, !isNew);
    const id = await pollingId('monthly_usd', card('pm_card_visa', { terms_shown }), headers);
    await pollUntilDone(id);
    const [owned] = await stubOf(headers).ownedSubscriptions();
    expect([owned?.subscription.plan, owned?.amount]).toEqual([sold, amount]);
  }
  expect(fake.captures().map(({ amount }) => amount)).toEqual(cases.map(([, , amount]) => amount));
});
