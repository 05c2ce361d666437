import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import builtIn from '../../../../worker/catalog/rules/built-in-catalog.json' with { type: 'json' };
import { fingerprintOf, type Live } from '../../../../worker/documents/live-documents.ts';
import type { Unsold } from '../../../../worker/documents/manifest.ts';
import { builtInDocuments } from '../../../../worker/experiments/rules/config-documents.ts';
import { checkLiveGateways } from '../../../../worker/payments/gateways/configuration-check.ts';
import { askProviders } from '../../../../worker/payments/gateways/sale-check.ts';
import type { Env } from '../../../../worker/platform/env.ts';
import { harness } from '../../../fakes/stripe/harness.ts';
import { stubBraintree } from './braintree/braintree-fixture.ts';

const { monthly } = builtIn.products;
const at = (USD: number) => ({ prices: { USD, EUR: USD } });
const club = { ...monthly, label: 'Club', period: 'quarter', versions: { 1: at(79) } };

const withProducts = (products: object) => ({
  ...builtInDocuments,
  'catalog.json': JSON.stringify({ ...builtIn, products: { ...builtIn.products, ...products } }),
});
const dearer = withProducts({
  monthly: { ...monthly, versions: { ...monthly.versions, 2: at(49) } },
});
const withClub = withProducts({ club });

function liveWith(unsold?: Unsold, documents: Live['documents'] = builtInDocuments): Live {
  const release = { version: '1', time: '2026-11-30T00:00:00.000Z', who: 'ann', documents: {} };
  const manifest = { config: { ...release, ...(unsold && { unsold }) } };
  const fingerprint = fingerprintOf(documents);
  return { documents, fingerprint, version: '1', manifest, written: {}, isByHand: false };
}

interface Asked {
  more?: Partial<Env>;
  live?: Live;
  creates?: boolean;
}
const ask = (
  next: Live['documents'],
  { more = {}, live = liveWith(), creates = true }: Asked = {},
) => askProviders({ ...env, ...more }, live, next, creates);

const dead = async () => new Response('', { status: 500 });
const braintreeAlone = { STRIPE_SECRET_KEY: '' };

test('sale: without a new plan nobody is asked, so a silent provider stops nothing', async () => {
  const { calls } = stubBraintree({ before: dead });
  expect(await ask(builtInDocuments)).toMatchObject({ unsold: {}, lines: [], refusal: null });
  expect(calls).toEqual([]);
});

test('sale: a new version needs nothing at a provider, because orders and subscriptions carry the price', async () => {
  const { calls } = stubBraintree();
  expect(await ask(dearer)).toEqual({
    unsold: {},
    lines: ['Nothing to do at Stripe and Braintree.'],
    byHand: [],
    refusal: null,
    isTemporary: false,
  });
  expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('sale: a coupon for renewals needs a discount at Braintree, which otherwise does not sell its plans', async () => {
  const coupons = { MORE: { percent: 20, renewals: 2, plans: ['monthly'] } };
  const config = { ...JSON.parse(builtInDocuments['config.json']), coupons };
  const next = { ...builtInDocuments, 'config.json': JSON.stringify(config) };
  stubBraintree();
  expect(await ask(next)).toMatchObject({ unsold: {}, refusal: null });
  stubBraintree({ discounts: [] });
  const { unsold, lines, refusal } = await ask(next);
  expect([unsold, refusal]).toEqual([{ braintree: ['monthly_usd', 'monthly_eur'] }, null]);
  expect(lines.join()).toContain('its discount COUPON does not exist');
  for (const [key, text] of Object.entries(next)) await env.FUNNEL.put(key, text ?? '');
  const [, report] = await checkLiveGateways(env);
  for (const key of Object.keys(next)) await env.FUNNEL.delete(key);
  const lacking = report?.prices.filter(({ problems }) => `${problems}`.includes('COUPON'));
  expect(lacking?.map(({ plan }) => plan)).toEqual(['monthly_usd', 'monthly_eur']);
});

test('sale: Braintree’s missing plan is announced by the review, and created once', async () => {
  const { calls } = stubBraintree();
  const made = () => calls.filter(({ method, path }) => `${method} ${path}` === 'POST /plans');
  const asked = await ask(withClub, { more: braintreeAlone, creates: false });
  const { lines, byHand, ...review } = asked;
  expect(review).toEqual({ unsold: {}, refusal: null, isTemporary: false });
  expect([...lines, ...byHand]).toEqual([
    'Nothing to do at Braintree.',
    'Braintree creates 2 plans when this is published.',
    'Braintree: club_usd 79.00 USD, club_eur 79.00 EUR; name “Club”, billed every 3 months, no end.',
  ]);
  expect(made()).toEqual([]);
  for (let time = 0; time < 2; time += 1)
    expect(await ask(withClub)).toMatchObject({ unsold: {}, refusal: null });
  expect(made().map(({ body }) => JSON.parse(body).plan)).toEqual([
    {
      id: 'club_usd',
      name: 'Club',
      price: '79.00',
      currency_iso_code: 'USD',
      billing_frequency: 3,
    },
    {
      id: 'club_eur',
      name: 'Club',
      price: '79.00',
      currency_iso_code: 'EUR',
      billing_frequency: 3,
    },
  ]);
});

test('sale: two publications at once create a plan once, and both sell it', async () => {
  const { fake } = stubBraintree();
  const answers = await Promise.all([ask(withClub), ask(withClub)]);
  expect(answers.map(({ unsold }) => unsold)).toEqual([{}, {}]);
  const reply = await fake.fetch('https://x/merchants/fake_merchant/plans', {
    headers: { authorization: `Basic ${btoa('fake_public:fake_private')}` },
  });
  expect((await reply.text()).match(/club_usd/g)).toHaveLength(1);
});

test('sale: where the account does not permit a plan, Stripe sells alone and the values are listed', async () => {
  let permits = false;
  stubBraintree({
    before: ({ method, path }) =>
      method === 'POST' && path === '/plans' && !permits
        ? new Response('', { status: 403 })
        : undefined,
  });
  const answer = await ask(withClub);
  const unsold = { braintree: ['club_usd', 'club_eur'] };
  expect(answer).toMatchObject({ unsold, refusal: null });
  expect(answer.lines).toContain(
    'Braintree does not sell club in USD, EUR: it does not exist. Create club_usd 79.00 USD, club_eur 79.00 EUR; name “Club”, billed every 3 months, no end; then publish again.',
  );
  expect(await ask(withClub, { more: braintreeAlone })).toMatchObject({
    refusal: 'no payment provider sells club in USD, EUR',
    isTemporary: false,
  });
  permits = true;
  const live = liveWith(unsold, withClub);
  expect(await ask(withClub, { live })).toMatchObject({ unsold: {}, refusal: null });
});

test.each([
  ['another period', { frequency: 1 }, 'billing_frequency is 1, not 3'],
  ['another currency', { currency: 'GBP' }, 'currency is GBP, not USD'],
  ['an end', { cycles: 12 }, 'number_of_billing_cycles is 12, not none'],
])('sale: a plan with %s at Braintree is not sold there', async (_, change, problem) => {
  const plan = { id: 'club_usd', price: 1, currency: 'USD', frequency: 3, cycles: null };
  stubBraintree({ plans: [{ ...plan, ...change }] });
  const { unsold, lines } = await ask(withClub);
  expect(unsold).toEqual({ braintree: ['club_usd'] });
  expect(lines).toContain(`Braintree does not sell club in USD: ${problem}.`);
});

test.each([
  [
    'another currency',
    'funnel_gbp',
    'the currency of the merchant account funnel_gbp is GBP, not EUR',
  ],
  ['no account', 'gone', 'the merchant account gone does not exist'],
])('sale: a merchant account with %s is not used', async (_, EUR, problem) => {
  stubBraintree();
  const more = { BRAINTREE_MERCHANT_ACCOUNTS: JSON.stringify({ EUR }) };
  const { unsold, lines } = await ask(dearer, { more });
  expect(unsold).toEqual({ braintree: ['monthly@2_eur'] });
  expect(lines).toContain(`Braintree does not sell monthly@2 in EUR: ${problem}.`);
});

test('sale: a currency that Braintree’s account does not charge is Stripe’s alone', async () => {
  stubBraintree();
  const more = { BRAINTREE_MERCHANT_ACCOUNTS: '{}' };
  const { unsold, lines } = await ask(dearer, { more });
  // Routing knows this by itself.
  expect(unsold).toEqual({});
  expect(lines).toContain('Braintree cannot charge EUR.');
  const alone = await ask(dearer, { more: { ...more, ...braintreeAlone } });
  expect(alone.refusal).toBe('no payment provider sells monthly@2 in EUR');
});

test('sale: a weekly plan is Stripe’s alone', async () => {
  stubBraintree();
  const weekly = { ...monthly, period: 'week', grace_days: 2, versions: { 1: at(9) } };
  const next = withProducts({ weekly });
  const { unsold, lines } = await ask(next);
  expect([unsold, lines.at(-1)]).toEqual([{}, 'Braintree cannot renew weekly, by its period.']);
  expect(await ask(next, { more: braintreeAlone })).toMatchObject({
    refusal: 'no payment provider sells weekly in USD, EUR',
    isTemporary: false,
  });
});

test('sale: a provider that does not answer about a new plan stops the publication until it answers', async () => {
  const faults = { isDown: true };
  stubBraintree({ before: () => (faults.isDown ? dead() : undefined) });
  expect(await ask(withClub)).toMatchObject({
    refusal: 'Braintree did not say whether it sells the new plans',
    isTemporary: true,
  });
  // What it did not sell before is still known.
  const live = liveWith({ braintree: ['club_usd'] }, withClub);
  expect(await ask(withClub, { live })).toMatchObject({
    unsold: { braintree: ['club_usd'] },
    refusal: null,
  });
  faults.isDown = false;
  expect(await ask(withClub)).toMatchObject({ unsold: {}, refusal: null });
});

test('sale: Stripe’s named price has to be that of the version', async () => {
  const on = await harness();
  const price = (unit_amount: number) =>
    on.stripe.prices.create({
      ...{ product: on.product, currency: 'usd', unit_amount },
      recurring: { interval: 'month', interval_count: 1 },
    });
  const [right, wrong] = [await price(4900), await price(3999)];
  vi.stubGlobal('fetch', on.fake.fetch);
  const asked = (id: string) =>
    ask(dearer, {
      more: {
        BRAINTREE_PRIVATE_KEY: '',
        STRIPE_PRODUCT: on.product,
        STRIPE_PRICES: JSON.stringify({ 'monthly@2_usd': id }),
      },
    });
  expect(await asked(right.id)).toMatchObject({ unsold: {}, refusal: null });
  const { unsold, lines, refusal } = await asked(wrong.id);
  expect(unsold).toEqual({ stripe: ['monthly@2_usd'] });
  expect(lines).toContain('Stripe does not sell monthly@2 in USD: amount is 3999, not 4900.');
  expect(refusal).toBe('no payment provider sells monthly@2 in USD');
});
