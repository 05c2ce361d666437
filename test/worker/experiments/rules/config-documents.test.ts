import { expect, test } from 'vitest';
import { builtInCatalog } from '../../../../worker/catalog/rules/catalog.ts';
import { marketIds } from '../../../../worker/catalog/rules/markets.ts';
import { configSet } from '../../../../worker/experiments/config-set.ts';
import {
  builtInDocuments,
  InvalidDocument,
  offerOf,
  publicConfig,
  readDocuments,
} from '../../../../worker/experiments/rules/config-documents.ts';
import { builtInFlows, screenIds } from '../../../../worker/experiments/rules/flows.ts';
import { texts } from '../../../scripts/config/command-context.ts';

const offer = { plans: ['monthly_7d'], upsell: 'upsell_monthly_799', guide: 'guide_1799' };
const config = {
  experiment: 'prices',
  variants: [
    { key: 'fullPrice', weight: 100, flow: 'default', note: 'the winner so far' },
    { key: 'intro/7d', weight: 0, flow: 'short' },
  ],
  offers: { 'intro/7d': offer },
  coupons: { FAMILY50: { percent: 50 } },
  next: { experiment: 'winter' },
};

const flows = {
  flows: { short: ['one_pager', 'checkout_v3_pp', 'success'] },
  aliases: { start: 'one_pager' },
  draft: { winter: ['one_pager'] },
};

test('public config: only variants with weight, flows and aliases are public', () => {
  const written = texts(JSON.stringify(config), JSON.stringify(flows));
  const published = publicConfig(readDocuments(written, true));
  expect(JSON.parse(published['config.json'])).toEqual({
    experiment: 'prices',
    variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
  });
  expect(JSON.parse(published['flows.json'])).toEqual({
    flows: { ...builtInFlows, ...flows.flows },
    aliases: flows.aliases,
  });
});

type Json = Record<string, unknown>;
const arm = (change: Json = {}) => ({ key: 'fullPrice', weight: 100, flow: 'default', ...change });
const goodConfig = (change: Json = {}) => ({ experiment: 'e', variants: [arm()], ...change });
const goodFlows = { flows: { short: ['one_pager', 'signup', 'checkout_v3_tr', 'success'] } };
const read = (config: unknown, flows: unknown = goodFlows) =>
  readDocuments(texts(JSON.stringify(config), JSON.stringify(flows)));

/** The key and the reason of a refused pair. */
function refusal(config: string | null, flows: string | null): [string, string] {
  try {
    readDocuments({ 'config.json': config, 'flows.json': flows });
  } catch (error) {
    if (error instanceof InvalidDocument) return [error.key, error.message];
    throw error;
  }
  throw new Error('the pair was taken');
}

const refusedConfig = (config: unknown) =>
  refusal(typeof config === 'string' ? config : JSON.stringify(config), JSON.stringify(goodFlows));
const refusedFlows = (flows: unknown) =>
  refusal(JSON.stringify(goodConfig()), typeof flows === 'string' ? flows : JSON.stringify(flows));

test('config documents: the documented example is read correctly', () => {
  const intro = {
    plans: ['monthly_7d', 'quarterly'],
    after: ['monthly', 'quarterly'],
    upsell: 'upsell_monthly_799',
    guide: 'guide_1799',
  };
  const { after: _, ...plain } = intro;
  const whole = { ...plain, plans: ['monthly', 'quarterly'] };
  const five = { ...plain, plans: ['monthly_5d'] };
  const configuration = read({
    experiment: '2026-11-paywall',
    variants: [
      { key: 'fullPrice', weight: 50, flow: 'default' },
      { key: 'intro/7d', weight: 30, flow: 'lp11ch8' },
      { key: 'intro/5d', weight: 20, flow: 'short' },
    ],
    offers: { fullPrice: whole, 'intro/7d': intro, intro: five },
    coupons: {},
  });
  expect(configuration.variants.map(({ weight }) => weight)).toEqual([50, 30, 20]);
  expect(configuration.flows.get('short')).toEqual(goodFlows.flows.short);
  expect(configuration.flows.get('lp11ch8')?.[3]).toBe('checkout_h3_pp');
  // By the arm's key, else by its type, else built in.
  expect(offerOf(configuration, 'intro/7d')).toEqual(intro);
  expect(offerOf(configuration, 'intro/5d')).toEqual({ ...five, after: [] });
  expect(offerOf(configuration, 'fullPrice')).toEqual({ ...whole, after: [] });
  expect(offerOf(configuration, 'other/type').plans).toEqual(['monthly', 'quarterly']);
});

test('config documents: the built-in pair is valid', () => {
  const { 'config.json': config, 'flows.json': flows } = builtInDocuments;
  expect(readDocuments(texts(config, flows)).variants).toEqual([arm()]);
});

test('config documents: flows and aliases are added, and may replace built-in flows', () => {
  const { flows, aliases } = read(goodConfig(), {
    flows: { default: ['one_pager_ai', 'success'] },
    aliases: { start: 'one_pager' },
  });
  expect(flows.get('default')).toEqual(['one_pager_ai', 'success']);
  expect(aliases.get('start')).toBe('one_pager');
});

test('config documents: the version changes exactly when a document changes', () => {
  const { version } = read(goodConfig());
  expect(read(goodConfig()).version).toBe(version);
  expect(read(goodConfig({ experiment: 'f' })).version).not.toBe(version);
  expect(read(goodConfig(), { flows: {} }).version).not.toBe(version);
});

test.each([
  ['0 and 100', [0, 100]],
  ['two decimals', [33.33, 33.33, 33.34]],
  ['tenths that floats cannot add', [0.1, 0.2, 99.7]],
])('config documents: weights of %s are valid', (_, weights) => {
  const variants = weights.map((weight, i) => arm({ key: `a${i}`, weight }));
  expect(read(goodConfig({ variants })).variants).toHaveLength(weights.length);
});

const weighing = (...weights: unknown[]) =>
  goodConfig({ variants: weights.map((weight, i) => arm({ key: `a${i}`, weight })) });
test.each([
  ['missing', null, 'missing'],
  ['truncated', JSON.stringify(goodConfig()).slice(0, -5), 'not JSON'],
  ['empty', '', 'not JSON'],
  ['a page of an error', '<!doctype html><title>502</title>', 'not JSON'],
  ['300 KB', ' '.repeat(300 * 1024), 'larger than 256 KB'],
  ['JSON null', 'null', 'Invalid type'],
  ['an array', '[]', 'Invalid key'],
  ['a text', '"default"', 'Invalid type'],
])('config documents: a document that is %s is refused', (_, text, reason) => {
  expect(refusal(text, JSON.stringify(goodFlows))).toEqual([
    'config.json',
    expect.stringContaining(reason),
  ]);
  const [key, why] = refusal(JSON.stringify(goodConfig()), text);
  expect([key, why]).toEqual(['flows.json', expect.stringContaining(reason)]);
});

test.each([
  ['one weight 0', weighing(0), 'do not add up to 100'],
  ['a sum of 99.99', weighing(50, 49.99), 'do not add up to 100'],
  ['a sum of 101', weighing(50, 51), 'do not add up to 100'],
  ['a negative weight', weighing(-10, 110), 'variants.0.weight'],
  ['NaN, which JSON writes as null', weighing(Number.NaN), 'variants.0.weight'],
  ['an infinite weight', '{"experiment":"e","variants":[{"weight":1e999}]}', 'variants.0'],
  ['a weight in text', weighing('100'), 'variants.0.weight'],
  ['three decimals', weighing(33.333, 66.667), 'over two decimals'],
  ['an arm twice', goodConfig({ variants: [arm({ weight: 50 }), arm({ weight: 50 })] }), 'twice'],
  ['no arms', goodConfig({ variants: [] }), 'variants'],
  ['arms that are no list', goodConfig({ variants: {} }), 'variants'],
  ['an arm without its flow', goodConfig({ variants: [arm({ flow: 'gone' })] }), 'no flow gone'],
  ['the flow toString', goodConfig({ variants: [arm({ flow: 'toString' })] }), 'no flow toString'],
  ['the flow __proto__', goodConfig({ variants: [arm({ flow: '__proto__' })] }), 'no flow'],
  ['a key of three parts', goodConfig({ variants: [arm({ key: 'a/b/c' })] }), 'variants.0.key'],
  ['a key of markup', goodConfig({ variants: [arm({ key: '<b>' })] }), 'variants.0.key'],
  ['no experiment', goodConfig({ experiment: undefined }), 'experiment'],
  ['an experiment of markup', goodConfig({ experiment: '"><script>' }), 'experiment'],
  ['an unknown plan', goodConfig({ offers: { a: { plans: ['weekly'] } } }), 'offers.a'],
])('config documents: config.json with %s is refused with its path', (_, config, reason) => {
  expect(refusedConfig(config)).toEqual(['config.json', expect.stringContaining(reason)]);
});

const flow = (...screens: unknown[]) => ({ flows: { short: screens } });
test.each([
  ['an unknown screen', flow('one_pager', 'checkout_v9'), 'flows.short.1: no such screen'],
  ['a screen twice', flow('one_pager', 'success', 'one_pager'), 'names a screen twice'],
  ['an empty flow', flow(), 'flows.short'],
  ['a screen __proto__', flow('__proto__'), 'no such screen'],
  ['a screen that is a number', flow(7), 'no such screen'],
  ['a flow that is a text', { flows: { short: 'one_pager' } }, 'flows.short'],
  ['a flow whose name is markup', { flows: { '<b>': ['one_pager'] } }, 'not a name'],
  ['no flows', {}, 'flows'],
  ['an alias of nothing', { flows: {}, aliases: { start: 'nowhere' } }, 'aliases.start'],
])('config documents: flows.json with %s is refused with its path', (_, flows, reason) => {
  expect(refusedFlows(flows)).toEqual(['flows.json', expect.stringContaining(reason)]);
});

test('config documents: a name __proto__ changes no prototype', () => {
  const hostile = '{"flows":{"__proto__":["one_pager"]},"aliases":{"__proto__":"one_pager"}}';
  const { flows, aliases } = readDocuments(texts(JSON.stringify(goodConfig()), hostile));
  expect(flows.get('constructor')).toBeUndefined();
  expect(aliases.get('toString')).toBeUndefined();
  expect(({} as Json).one_pager).toBeUndefined();
});

test('config documents: test flows exist only outside production', () => {
  const config = JSON.stringify(goodConfig({ variants: [arm({ flow: 'stripe_test' })] }));
  const { flows } = readDocuments(texts(config, JSON.stringify(goodFlows)));
  expect(flows.get('stripe_test')).toEqual(['auto-signup', 'checkout-test', 'success']);
});

test.each<[string, Parameters<typeof goodConfig>[0], object, string]>([
  ['an arm', { variants: [arm({ flow: 'stripe_test' })] }, {}, 'no flow stripe_test'],
  ['a flow of that name', {}, { flows: { stripe_test: ['one_pager'] } }, 'flows.stripe_test'],
  ['a flow with such a screen', {}, { flows: { x: ['auto-signup'] } }, 'flows.x: is for tests'],
  ['an alias', {}, { aliases: { pay: 'checkout-test' } }, 'aliases.pay: is for tests'],
])('config documents: production refuses a test screen by %s', (_, config, flows, reason) => {
  const pair = [goodConfig(config), { ...goodFlows, ...flows }].map((one) => JSON.stringify(one));
  expect(() => readDocuments(texts(pair[0], pair[1]), true)).toThrow(reason);
});

const fullOffer = { plans: ['monthly'], upsell: 'upsell_monthly_799', guide: 'guide_1799' };
const selling = (change: Json) => goodConfig({ offers: { a: { ...fullOffer, ...change } } });
const coupon = (plans: number) => ({ percent: 5, plans: Array(plans).fill('monthly') });
const shortcuts = (...hosts: string[]) => goodConfig({ markets: { euro: { shortcuts: hosts } } });
const many = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`A${at}`, value]));

test('config documents: every list may reach its limit', () => {
  const main = ['monthly', 'quarterly', 'monthly_7d', 'monthly_5d', 'monthly_3d'];
  const everything = { ...fullOffer, plans: main, after: main };
  const hosts = ['gmx.de', 'web.de', 't-online.de'];
  const configuration = read(
    goodConfig({
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
  ['an offer for no possible arm', goodConfig({ offers: { '<b>': fullOffer } }), 'offers.<b>'],
  [
    '101 arms',
    goodConfig({ variants: [arm(), ...Array(100).fill(arm({ weight: 0 }))] }),
    'variants',
  ],
  ['201 offers', goodConfig({ offers: many(201, fullOffer) }), 'offers: more than 200'],
  ['1,001 coupons', goodConfig({ coupons: many(1001, { percent: 5 }) }), 'coupons: more than 1000'],
  ['a coupon for 201 plans', goodConfig({ coupons: { A: coupon(201) } }), 'coupons.A'],
  [
    'more markets than there are',
    goodConfig({ markets: many(marketIds.length + 1, {}) }),
    `markets: more than ${marketIds.length}`,
  ],
  ['an unknown market', goodConfig({ markets: { mars: {} } }), 'markets.mars'],
  ['two shortcuts', shortcuts('gmx.de', 'web.de'), 'markets.euro.shortcuts.2'],
  ['four shortcuts', shortcuts('gmx.de', 'web.de', 't.de', 'a.de'), 'not three hosts'],
  ['a shortcut twice', shortcuts('gmx.de', 'web.de', 'gmx.de'), 'names a host twice'],
  ['a shortcut of markup', shortcuts('gmx.de', 'web.de', '<b>.de'), 'markets.euro.shortcuts.2'],
  ['a shortcut with @', shortcuts('gmx.de', 'web.de', '@t.de'), 'not a host'],
  ['a shortcut in capitals', shortcuts('gmx.de', 'web.de', 'T.de'), 'not a host'],
  ['a shortcut without a dot', shortcuts('gmx.de', 'web.de', 'localhost'), 'not a host'],
  ['a long shortcut', shortcuts('gmx.de', 'web.de', `${'a'.repeat(28)}.de`), 'not a host'],
])('config documents: config.json with %s is refused', (_, one, reason) => {
  expect(refusedConfig(one)).toEqual(['config.json', expect.stringContaining(reason)]);
});

test.each([
  ['101 flows', { flows: many(101, ['one_pager']) }, 'flows: more than 100'],
  ['a flow of 31 screens', { flows: { a: Array(31).fill('one_pager') } }, 'flows.a'],
  ['1,001 aliases', { flows: {}, aliases: many(1001, 'one_pager') }, 'aliases: more than 1000'],
])('config documents: flows.json with %s is refused', (_, two, reason) => {
  expect(refusedFlows(two)).toEqual(['flows.json', expect.stringContaining(reason)]);
});

const takes = (offer: Json) =>
  configSet.problems(texts(JSON.stringify(selling(offer)), JSON.stringify(goodFlows))).errors
    .length === 0;

test.each(builtInCatalog.families)(
  'config documents: %s can be offered only in its slot',
  (family) => {
    const { slot } = builtInCatalog.planOf(family, 'USD');
    expect([
      takes({ plans: [family] }),
      takes({ upsell: family }),
      takes({ guide: family }),
    ]).toEqual([slot === 'main', slot === 'upsell', slot === 'guide']);
  },
);

test('config documents: an offer preselects and marks only its own plans', () => {
  expect([
    takes({ preselect: 'monthly' }),
    takes({ after: ['quarterly'], preselect: 'quarterly' }),
    takes({ preselect: 'quarterly' }),
    takes({ preselect: 'upsell_monthly_799' }),
    takes({ best_value: 'monthly' }),
    takes({ best_value: 'quarterly' }),
  ]).toEqual([true, true, false, false, true, false]);
});
