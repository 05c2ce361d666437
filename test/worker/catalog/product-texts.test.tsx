import { env } from 'cloudflare:test';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { purchaseWords } from '../../../islands/account/purchase-text.ts';
import { planWords } from '../../../islands/checkout/plan-words.ts';
import { OrderSummarySection } from '../../../screens/parts/order-summary.tsx';
import { cyclesOf, planName } from '../../../screens/parts/plan-labels.ts';
import { Upsell } from '../../../screens/upsell.tsx';
import { termsOf } from '../../../worker/catalog/checkout-terms.ts';
import { builtInCatalog, Catalog } from '../../../worker/catalog/rules/catalog.ts';
import { marketOf } from '../../../worker/catalog/rules/markets.ts';
import { mailPlan, ownWords, type Plan } from '../../../worker/catalog/rules/plans.ts';
import { overrideTexts, translationsFor } from '../../../worker/content/translations.ts';
import { planLabel } from '../../../worker/email/plan-label.ts';
import { planDataOf } from '../../../worker/rendering/plan-data.ts';
import { viewOf } from '../../renewal-placeholders.ts';
import { htmlOf, page, props, wordsOf } from '../../screens/page-fixture.tsx';
import { configText, flowsText } from '../../scripts/config/command-context.ts';
import { templateContext } from '../email/email-fixture.ts';
import { stubStripe } from '../payments/payments-fixture.ts';
import { card, pollingId, pollUntilDone, signedInHeaders } from '../payments/purchase-helpers.ts';
import { readLanguage } from '../read-language.ts';
import { request } from '../request.ts';

const texts = {
  'products.plan.name': 'Family pass',
  'products.plan.description': 'Everyone at home. Up to six people.',
};
const keys = { name: 'products.plan.name', description: 'products.plan.description' } as const;

beforeAll(() => readLanguage('de'));
afterEach(() => {
  overrideTexts('en', null);
  overrideTexts('de', null);
});

const planWith = (family: string, own: Plan['texts']): Plan => ({
  ...builtInCatalog.planOf(family, 'USD'),
  ...(own && { texts: own }),
});

/** What each place says of a plan in English. */
function placesOf(plan: Plan) {
  const { named, screens: t, islands } = translationsFor('en');
  const view = { ...viewOf(plan), listPrice: null, ...ownWords(plan, named) };
  const checkout = { ...page.checkout, plans: [view] };
  const extra = { ...props, t, page: { ...page, checkout } };
  const cycles = cyclesOf(checkout, t);
  const words = purchaseWords(islands['my-account'], 'en');
  const { name = '' } = view;
  const terms = termsOf(
    plan,
    plan.today,
    { language: 'en', market: marketOf('US'), timeZone: 'UTC' },
    0,
  );
  const screen = plan.slot === 'main' ? 'checkout_v3_tr' : 'upsell_an_private';
  const paid = { ...page, kind: 'payment' as const, screen, checkout } as const;
  const sold = planDataOf({ ...paid, extras: { ...page.extras, upsell: view } }, builtInCatalog, t);
  return {
    card: planWords(view, islands['plan-picker'], 'en', cycles, [view]),
    wallet: planName(view, t),
    summary: wordsOf(htmlOf(<OrderSummarySection {...extra} />)),
    upsell: wordsOf(htmlOf(<Upsell {...extra} offer="an_private" plan={view} />)),
    event: sold?.[plan.id],
    terms: terms.text.split('\n'),
    mail: planLabel(mailPlan(plan), templateContext('en')),
    purchases: words.title({ slot: plan.slot, period: plan.period, ...(name && { name }) }),
  };
}

test.each([
  ['neither', {}, 'Monthly', undefined],
  ['the name', { name: keys.name }, 'Family pass', undefined],
  ['the description', { description: keys.description }, 'Monthly', texts[keys.description]],
  ['both', keys, 'Family pass', texts[keys.description]],
] as const)('product texts: a main plan with %s of them', (_what, own, name, description) => {
  overrideTexts('en', texts);
  const {
    card: option,
    wallet,
    summary,
    event,
    terms,
    mail,
    purchases,
  } = placesOf(planWith('monthly', own));
  expect([option.title, wallet, event?.name, terms[0]]).toEqual([name, name, name, name]);
  expect(summary).toContain(`· ${name}`);
  expect([
    summary.includes(texts[keys.description]),
    terms.includes(texts[keys.description]),
  ]).toEqual(description ? [true, true] : [false, false]);
  expect(event?.description).toBe(description ?? '$39.99 every month');
  const named = name === 'Monthly' ? 'Monthly plan' : name;
  expect([mail, purchases]).toEqual([named, named]);
});

test.each([
  ['neither', {}, 'Anonymous mode and private chat', undefined],
  ['the name', { name: keys.name }, 'Family pass', undefined],
  ['the description', { description: keys.description }, 'Anonymous mode and private chat', 1],
  ['both', keys, 'Family pass', 1],
] as const)('product texts: an extra with %s of them', (_what, own, name, isDescribed) => {
  overrideTexts('en', texts);
  const { upsell, event, terms, mail, purchases } = placesOf(planWith('upsell_monthly_799', own));
  expect([event?.name, terms[0]].map((one) => one?.replace(/\.$/, ''))).toEqual([name, name]);
  expect(upsell).toContain(isDescribed ? 'Everyone at home.' : name);
  expect(upsell.includes('Up to six people.')).toBe(isDescribed !== undefined);
  expect(upsell).toContain(name);
  expect([mail, purchases]).toEqual([name, name]);
});

test('product texts: an intro keeps its days beside the name', () => {
  overrideTexts('en', texts);
  const { card: option, mail, terms } = placesOf(planWith('monthly_7d', keys));
  expect([option.title, option.renewal]).toEqual([
    'Family pass',
    '7-day intro · then $39.99 every month',
  ]);
  expect(mail).toBe('Family pass, 7-day intro');
  expect(terms[0]).toBe('Family pass');
});

test('product texts: a text that is deleted, or never was, leaves the derived name', () => {
  const { card: option, mail, event } = placesOf(planWith('monthly', keys));
  expect([option.title, mail, event?.name]).toEqual(['Monthly', 'Monthly plan', 'Monthly']);
});

test('product texts: a built-in text can be a name, in the visitor’s language', () => {
  const { named } = translationsFor('de');
  const plan = planWith('monthly', { name: 'screens.upsell.benefits.quiet.title' });
  expect(ownWords(plan, named).name).toBe(
    translationsFor('de').screens('upsell.benefits.quiet.title'),
  );
});

test.each([
  ['products.plan.name', 'Family pass', undefined],
  ['products.plan.name', 'Family pass {{count}}', 'other placeholders or markup'],
  ['products.plan.name', '<b>Pass</b>', 'other placeholders or markup'],
  ['products.plan.name', ' ', 'empty'],
  ['products.plan', 'x', 'no such key'],
  ['products.plan.name.more', 'x', 'no such key'],
  ['products.__proto__.name', 'x', 'no such key'],
  ['products.constructor.name', 'Pass', undefined],
  ['products.Plan.name', 'x', 'no such key'],
])('product texts: %s as “%s” is published unless it is %s', (key, text, reason) => {
  expect(overrideTexts('en', { [key]: text })).toEqual(reason ? [{ key, reason }] : []);
  if (!reason) expect(translationsFor('en').named(key)).toBe(text);
  expect(({} as Record<string, unknown>).name).toBeUndefined();
});

const documents = {
  currencies: ['USD', 'EUR'],
  products: {
    ...JSON.parse(
      JSON.stringify(await import('../../../worker/catalog/rules/built-in-catalog.json')),
    ).products,
  },
};

test('product texts: published in English alone they name a plan in German, from its page to the purchase', async () => {
  stubStripe();
  const served = { ...env, CONFIG_CACHE_SECONDS: '0' };
  const monthly = { ...documents.products.monthly, ...keys };
  const catalog = { ...documents, products: { ...documents.products, monthly } };
  await env.FUNNEL.put('config.json', configText());
  await env.FUNNEL.put('flows.json', flowsText());
  await env.FUNNEL.put('catalog.json', JSON.stringify(catalog));
  await env.FUNNEL.put('content/manifest', JSON.stringify({ timestamp: 5, files: ['en'] }));
  await env.FUNNEL.put('content/5/en', JSON.stringify(texts));
  const german = { 'accept-language': 'de', 'cf-ipcountry': 'DE' };
  const checkout = async () =>
    (await request('/checkout_v3_tr', { headers: german }, served)).text();
  await expect.poll(async () => (await checkout()).includes('Family pass')).toBe(true);
  const terms_shown = /data-terms="([^"]*)"/.exec(await checkout())?.[1];
  const headers = { ...(await signedInHeaders()), ...german };
  await pollUntilDone(
    await pollingId('monthly_eur', card('pm_card_visa', { terms_shown }), headers),
  );
  const purchases = async () => {
    const response = await request('/api/v1/users/me/purchases', { headers }, served);
    const { data } = (await response.json()) as {
      data: Record<'subscriptions' | 'receipts', { name?: string }[]>;
    };
    return [data.subscriptions[0]?.name, data.receipts[0]?.name];
  };
  expect(await purchases()).toEqual(['Family pass', 'Family pass']);
  await env.FUNNEL.put('content/manifest', JSON.stringify({ timestamp: 6, files: [] }));
  await expect.poll(purchases).toEqual([undefined, undefined]);
});

test('product texts: the catalog’s plans carry their keys', () => {
  const plan = new Catalog({
    ...documents,
    currencies: ['USD'],
    products: { monthly: { ...documents.products.monthly, ...keys } },
  }).planById('monthly_usd');
  expect(plan?.texts).toEqual(keys);
});
