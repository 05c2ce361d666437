import { env } from 'cloudflare:test';
import { beforeEach, expect, test } from 'vitest';
import { builtInDocuments } from '../../../../worker/experiments/rules/config-documents.ts';
import { stubBraintree } from '../../payments/gateways/braintree/braintree-fixture.ts';
import { stubStripe } from '../../payments/payments-fixture.ts';
import {
  card,
  pollingId,
  pollUntilDone,
  signedInHeaders,
  stubOf,
} from '../../payments/purchase-helpers.ts';
import { request } from '../../request.ts';
import { asRole, hiddenFields, open, send, signIn, type Visit } from '../console-client.ts';

beforeEach(async () => {
  for (const [key, text] of Object.entries(builtInDocuments)) await env.FUNNEL.put(key, text);
  await env.DB.exec('DELETE FROM config_publications');
});

const product = '/console/prices/product';
const yearly: Record<string, string> = {
  ...{ id: '', label: 'Yearly plan', slot: 'main', depends: '', period: 'year', grace: '7' },
  ...{
    start: 'full',
    introDays: '7',
    'prices.USD': '99',
    'prices.EUR': '94.99',
    offer: 'fullPrice',
  },
};

/** A person with the fields of the newest form. */
async function formFor(person: Visit, fields: Record<string, string> = yearly) {
  const shown = await (await open(product, person)).text();
  return { ...fields, base: hiddenFields(shown).base ?? '' };
}
/** A person, and a provider that is asked before something is published. */
async function publisher(): Promise<Visit> {
  stubBraintree();
  return { headers: await signIn() };
}

const text = async (response: Promise<Response>) => (await response).text();
const publish = (page: string, person: Visit) =>
  send('/console/publish', { ...hiddenFields(page), reason: 'a new price' }, person);
const liveCatalog = async () => JSON.parse((await env.FUNNEL.get('catalog.json')) ?? '');

async function servedPage(isNew: (html: string) => boolean): Promise<string> {
  const served = { ...env, CONFIG_CACHE_SECONDS: '0' };
  for (let reads = 0; reads < 20; reads++) {
    const html = await (await request('/checkout_v3_tr', {}, served)).text();
    if (isNew(html)) return html;
  }
  throw new Error('the change was not served');
}

test('console prices: a plan is added by its form, published, shown and sold at its price; a new price is a new version', async () => {
  const marketer = await publisher();
  const review = await text(send(`${product}/review`, await formFor(marketer), marketer));
  expect(review).toContain('“Yearly plan” is new. Buyers pay $99.00 and €94.99 a year.');
  expect(review).not.toContain('Only new visitors are assigned');
  const draft = await text(send('/console/prices/draft', hiddenFields(review), marketer));
  expect(draft).toMatch(/value="Yearly plan".*name="prices.EUR"[^>]*value="94.99"/s);
  expect(draft).toMatch(/<input type="checkbox"[^>]*name="offer" checked=""/);
  const published = await publish(review, marketer);
  expect(published.headers.get('location')).toMatch(/product\?id=yearly_plan&published=/);
  expect((await liveCatalog()).products.yearly_plan.versions).toEqual({
    1: { prices: { USD: 99, EUR: 94.99 } },
  });

  const shown = await text(open(`${product}?id=yearly_plan`, marketer));
  expect(shown).toMatch(/History.*added, 99.00 USD, 94.99 EUR.*a new price.*you@localhost/s);
  const form = { base: hiddenFields(shown).base ?? '', ...yearly, id: 'yearly_plan' };
  const changed = await text(send(`${product}/review`, { ...form, 'prices.USD': '119' }, marketer));
  expect(changed).toContain('subscribers keep $99.00 a year. New buyers pay $119.00 a year.');
  await publish(changed, marketer);
  const again = { base: hiddenFields(await text(open('/console/prices', marketer))).base ?? '' };
  const sells = { ...again, id: 'yearly_plan', version: '1' };
  expect(await text(send('/console/prices/sells', sells, marketer))).toContain(
    'subscribers keep $119.00 a year. New buyers pay $99.00 a year.',
  );

  const fake = stubStripe();
  const html = await servedPage((page) => page.includes('yearly_plan@2'));
  expect(html).toContain('$119.00');
  const [, terms_shown = ''] = /data-terms="([^"]*)"/.exec(html) ?? [];
  const headers = await signedInHeaders();
  const id = await pollingId('yearly_plan@2_usd', card('pm_card_visa', { terms_shown }), headers);
  await pollUntilDone(id);
  const [owned] = await stubOf(headers).ownedSubscriptions();
  expect([owned?.subscription.plan, owned?.amount]).toEqual(['yearly_plan@2_usd', 11_900]);
  expect(fake.captures().map(({ amount }) => amount)).toEqual([11_900]);
});

test.each([
  ['without a price in dollars', { 'prices.USD': '' }, 'prices.USD', /missing/],
  ['with half a cent', { 'prices.USD': '9.995' }, 'prices.USD', /USD has 2 decimals/],
  ['with a word', { 'prices.EUR': 'nine' }, 'prices.EUR', /not an amount such as 39.99/],
  ['with an intro as long as it', { start: 'free', introDays: '365' }, 'introDays', /shorter/],
  ['without a name', { label: '' }, 'label', /empty/],
])(
  'console prices: a plan %s is refused beside its field, and nothing typed is lost',
  async (_, wrong, field, reason) => {
    const marketer = await asRole('marketer');
    const form = await formFor(marketer, { ...yearly, ...wrong });
    const response = await send(`${product}/review`, form, marketer);
    const html = await response.text();
    expect(response.status).toBe(422);
    const [tag = '', beside = ''] =
      new RegExp(`<input[^>]*name="${field}"[^>]*>(.{200})`).exec(html) ?? [];
    expect(tag).toContain('aria-invalid="true"');
    expect(beside).toMatch(reason);
    const typed: Record<string, string> = form;
    for (const value of [typed.label, typed['prices.USD'], typed['prices.EUR']]) {
      if (value) expect(html).toContain(`value="${value}"`);
    }
    expect(html).toMatch(/<input type="checkbox"[^>]*name="offer" checked=""/);
    expect(await env.FUNNEL.get('catalog.json')).toBe(builtInDocuments['catalog.json']);
  },
);

test('console prices: currencies, a plan with a trial and its offer are one change, which keeps what a page selects', async () => {
  const marketer = await publisher();
  const form = { ...(await formFor(marketer)), start: 'free', 'prices.GBP': '83.99' };
  const empty = await text(send(product, { ...form, 'prices.USD': '', fill: 'true' }, marketer));
  expect(empty).toContain('missing; visitors pay in USD');
  const review = await text(send(`${product}/review`, form, marketer));
  expect(review).toMatch(
    /New currency, British Pound: .*Buyers get 7 days free, then pay \$99.00, €94.99 and £83.99 a year\..*choose between .*Selected at first: “Quarterly plan”\. Marked “Best value”: “Yearly plan”/s,
  );
  const preview = await text(send('/console/preview', hiddenFields(review), marketer));
  expect(preview).toMatch(/<nav class="trail"[^>]*><ol><li><a href="\/console\/prices">/);
  await publish(review, marketer);
  const config = JSON.parse((await env.FUNNEL.get('config.json')) ?? '');
  expect([(await liveCatalog()).currencies, config.offers.fullPrice]).toEqual([
    ['USD', 'EUR', 'GBP'],
    expect.objectContaining({
      plans: ['monthly', 'quarterly', 'yearly_plan'],
      preselect: 'quarterly',
    }),
  ]);
});

test('console prices: a price that nobody typed is a suggestion, which is confirmed before the review', async () => {
  const marketer = await asRole('marketer');
  const form = { ...(await formFor(marketer)), 'prices.EUR': '', country: 'DE' };
  const shown = await send(`${product}/review`, form, marketer);
  expect([shown.status, shown.headers.get('set-cookie')]).toEqual([
    200,
    expect.stringContaining('console-country=DE'),
  ]);
  const html = await shown.text();
  expect(html).toMatch(/suggested: EUR 99.00\..*Use the suggestions \(1\) and review/s);
  expect(html).toMatch(/name="prices.EUR"[^>]*value="99.00"/);
  expect(
    await text(send(`${product}/review`, { ...form, 'prices.EUR': '99.00' }, marketer)),
  ).toContain('Buyers pay $99.00 and €99.00 a year.');
});

test('console prices: suggestions fill empty fields, and the grid keeps what was typed', async () => {
  const marketer = await asRole('marketer');
  const form = { ...(await formFor(marketer)), 'prices.USD': '99', 'prices.EUR': '' };
  expect(await text(send(product, { ...form, fill: 'true' }, marketer))).toMatch(
    /name="prices.EUR"[^>]*value="99.00"/,
  );
  const monthly = { ...form, id: 'monthly', 'prices.EUR': '39.99', fill: 'true' };
  expect(await text(send(product, monthly, marketer))).toMatch(
    /name="prices.EUR"[^>]*value="99.00"/,
  );
  const grid = [
    ['base', form.base],
    ['currency', 'USD'],
    ['currency', 'EUR'],
    ['prices.monthly.USD', '49.99'],
    ['prices.monthly.EUR', 'x'],
  ];
  const refused = await send('/console/prices/review', grid, marketer);
  expect([refused.status, await refused.text()]).toEqual([
    422,
    expect.stringMatching(/name="prices.monthly.USD"[^>]*value="49.99".*not an amount/s),
  ]);
  grid[4] = ['prices.monthly.EUR', '39.99'];
  const review = await text(send('/console/prices/review', grid, marketer));
  expect(review).toContain(
    '“Monthly plan”: subscribers keep $39.99 a month. New buyers pay $49.99 a month.',
  );
  const draft = await text(send('/console/prices/draft', hiddenFields(review), marketer));
  expect(draft).toMatch(/name="prices.monthly.USD"[^>]*value="49.99"/);
});

test('console prices: the second of two editors sees what the first one changed', async () => {
  const marketer = await publisher();
  const form = await formFor(marketer);
  await publish(await text(send(`${product}/review`, form, marketer)), marketer);
  const other = await send(`${product}/review`, { ...form, label: 'Other plan' }, marketer);
  expect(other.status).toBe(409);
  expect(await other.text()).toMatch(/published another version.*plan yearly_plan: added/s);
});

test('console prices: who may not publish reads prices and changes none', async () => {
  const viewer = await asRole('viewer');
  const shown = await text(open('/console/prices', viewer));
  expect(shown).toContain('39.99');
  expect(shown).not.toContain('Review the prices');
  for (const path of ['/console/prices', '/console/prices/review', `${product}/review`]) {
    expect((await send(path, yearly, viewer)).status).toBe(403);
  }
});
