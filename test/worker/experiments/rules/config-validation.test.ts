import * as v from 'valibot';
import { expect, test } from 'vitest';
import { marketIds } from '../../../../worker/catalog/markets.ts';
import { planFamilies, planOf } from '../../../../worker/catalog/plans.ts';
import {
  InvalidDocument,
  offerOf,
  readDocuments,
} from '../../../../worker/experiments/rules/config-documents.ts';
import { configSchema } from '../../../../worker/experiments/rules/config-validation.ts';
import { screenIds } from '../../../../worker/experiments/rules/flows.ts';

type Json = Record<string, unknown>;

const arm = (change: Json = {}) => ({ key: 'fullPrice', weight: 100, flow: 'default', ...change });
const config = (change: Json) => ({ experiment: 'e', variants: [arm()], ...change });
const offer = { plans: ['monthly'], upsell: 'upsell_monthly_799', guide: 'guide_1799' };
const selling = (change: Json) => config({ offers: { a: { ...offer, ...change } } });
const coupon = (plans: number) => ({ percent: 5, plans: Array(plans).fill('monthly') });
const shortcuts = (...hosts: string[]) => config({ markets: { euro: { shortcuts: hosts } } });
const many = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`A${at}`, value]));

const read = (one: unknown, two: unknown) =>
  readDocuments(JSON.stringify(one), JSON.stringify(two));

/** The refused document and the reason. */
function refusal(one: unknown, two: unknown): [string, string] {
  try {
    read(one, two);
  } catch (error) {
    if (error instanceof InvalidDocument) return [error.key, error.message];
    throw error;
  }
  throw new Error('the pair was taken');
}

test('config validation: every list may reach its limit', () => {
  const main = ['monthly', 'quarterly', 'monthly_7d', 'monthly_5d', 'monthly_3d'];
  const everything = { ...offer, plans: main, after: main };
  const hosts = ['gmx.de', 'web.de', 't-online.de'];
  const configuration = read(
    config({
      variants: Array.from({ length: 100 }, (_, at) => arm({ key: `A${at}`, weight: 1 })),
      offers: many(200, everything),
      coupons: many(1000, { percent: 5 }),
      markets: { euro: { shortcuts: hosts }, us: {} },
    }),
    { flows: many(100, screenIds), aliases: many(1000, 'one_pager') },
  );
  expect(offerOf(configuration, 'A0')).toEqual(everything);
  expect([configuration.coupons.size, configuration.aliases.size]).toEqual([1000, 1000]);
  expect([...configuration.shortcuts]).toEqual([['euro', hosts]]);
});

test.each([
  ['a plan twice', selling({ plans: ['monthly', 'monthly'] }), 'offers.a.plans: names a plan'],
  ['a plan 18,000 times', selling({ plans: Array(18_000).fill('monthly') }), 'offers.a.plans'],
  [
    'a later plan twice',
    selling({ after: ['monthly', 'monthly'] }),
    'offers.a.after: names a plan',
  ],
  ['an offer for no possible arm', config({ offers: { '<b>': offer } }), 'offers.<b>'],
  ['101 arms', config({ variants: [arm(), ...Array(100).fill(arm({ weight: 0 }))] }), 'variants'],
  ['201 offers', config({ offers: many(201, offer) }), 'offers: more than 200'],
  ['1,001 coupons', config({ coupons: many(1001, { percent: 5 }) }), 'coupons: more than 1000'],
  ['a coupon for 100 plans', config({ coupons: { A: coupon(100) } }), 'coupons.A'],
  [
    'more markets than there are',
    config({ markets: many(marketIds.length + 1, {}) }),
    `markets: more than ${marketIds.length}`,
  ],
  ['an unknown market', config({ markets: { mars: {} } }), 'markets.mars'],
  ['two shortcuts', shortcuts('gmx.de', 'web.de'), 'markets.euro.shortcuts.2'],
  ['four shortcuts', shortcuts('gmx.de', 'web.de', 't.de', 'a.de'), 'not three hosts'],
  ['a shortcut twice', shortcuts('gmx.de', 'web.de', 'gmx.de'), 'names a host twice'],
  ['a shortcut of markup', shortcuts('gmx.de', 'web.de', '<b>.de'), 'markets.euro.shortcuts.2'],
  ['a shortcut with @', shortcuts('gmx.de', 'web.de', '@t.de'), 'not a host'],
  ['a shortcut in capitals', shortcuts('gmx.de', 'web.de', 'T.de'), 'not a host'],
  ['a shortcut without a dot', shortcuts('gmx.de', 'web.de', 'localhost'), 'not a host'],
  ['a long shortcut', shortcuts('gmx.de', 'web.de', `${'a'.repeat(28)}.de`), 'not a host'],
])('config validation: config.json with %s is refused', (_, one, reason) => {
  expect(refusal(one, { flows: {} })).toEqual(['config.json', expect.stringContaining(reason)]);
});

test.each([
  ['101 flows', { flows: many(101, ['one_pager']) }, 'flows: more than 100'],
  ['a flow of 31 screens', { flows: { a: Array(31).fill('one_pager') } }, 'flows.a'],
  ['1,001 aliases', { flows: {}, aliases: many(1001, 'one_pager') }, 'aliases: more than 1000'],
])('config validation: flows.json with %s is refused', (_, two, reason) => {
  expect(refusal(config({}), two)).toEqual(['flows.json', expect.stringContaining(reason)]);
});

const variants = [{ key: 'fullPrice', weight: 100, flow: 'default' }];
const whole = { plans: ['monthly'], upsell: 'upsell_monthly_799', guide: 'guide_1799' };
const takes = (offer: object) =>
  v.is(configSchema, { experiment: 'e', variants, offers: { fullPrice: { ...whole, ...offer } } });

test.each(planFamilies)('config validation: %s can be offered only in its slot', (family) => {
  const { slot } = planOf(family, 'USD');
  expect([takes({ plans: [family] }), takes({ upsell: family }), takes({ guide: family })]).toEqual(
    [slot === 'main', slot === 'upsell', slot === 'guide'],
  );
});

test('config validation: an offer preselects only one of its own plans', () => {
  expect([
    takes({ preselect: 'monthly' }),
    takes({ after: ['quarterly'], preselect: 'quarterly' }),
    takes({ preselect: 'quarterly' }),
    takes({ preselect: 'upsell_monthly_799' }),
  ]).toEqual([true, true, false, false]);
});
