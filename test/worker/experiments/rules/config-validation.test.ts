import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Documents } from '../../../../worker/documents/document-set.ts';
import { configSet } from '../../../../worker/experiments/config-set.ts';
import {
  builtInDocuments,
  InvalidDocument,
  readDocuments,
} from '../../../../worker/experiments/rules/config-documents.ts';
import { validateDocuments } from '../../../../worker/experiments/rules/config-validation.ts';
import { arm, configText, flowsText, texts } from '../../../scripts/config/command-context.ts';

const whole = ['one_pager', 'signup', 'checkout_v3_tr', 'success'];
const offer = { plans: ['monthly'], upsell: 'upsell_monthly_799', guide: 'guide_1799' };
const named = <T>(count: number, value: (name: string) => T) =>
  Array.from({ length: count }, (_, at) => value(`N${at}`));
const table = (count: number, value: unknown) =>
  Object.fromEntries(named(count, (name) => [name, value]));

test('config validation: every error has its path and reason', () => {
  const config = configText([arm('fullPrice', 50), arm('a/b/c', 40, 'gone')], {
    experiment: '<b>',
    offers: {},
  });
  const flows = flowsText({ short: ['one_pager', 'nowhere'] });
  const lines = validateDocuments(texts(config, flows)).problems.map(
    ({ key, path }) => `${key} ${path}`,
  );
  expect(lines).toEqual([
    'config.json experiment',
    'config.json variants.1.key',
    'config.json variants',
    'flows.json flows.short.1',
  ]);
});

test('config validation: a weight has at most two decimals', () => {
  const reasons = (weight: number) =>
    validateDocuments(texts(configText([arm('a', weight), arm('b', 100 - weight)])))
      .problems.filter(({ path }) => path === 'variants.0.weight')
      .map(({ reason }) => reason);
  expect([reasons(33.33), reasons(0.01)]).toEqual([[], []]);
  expect([reasons(33.335), reasons(33.3333)].flat()).toEqual([
    ...['over two decimals', 'over two decimals'],
  ]);
});

test.each<[string, number, (count: number) => [config: string, flows: string]]>([
  [
    'variants',
    100,
    (count) => [configText(named(count, (key) => arm(key, 100 / count))), flowsText()],
  ],
  ['offers', 200, (count) => [configText(undefined, { offers: table(count, offer) }), flowsText()]],
  [
    'coupons',
    1000,
    (count) => [configText(undefined, { coupons: table(count, { percent: 5 }) }), flowsText()],
  ],
  ['flows', 100, (count) => [configText(), flowsText(table(count, whole))]],
  ['aliases', 1000, (count) => [configText(), flowsText({}, table(count, 'success'))]],
])('config validation: there are at most %s: %d', (path, most, documents) => {
  const isTooLong = (count: number) =>
    validateDocuments(texts(...documents(count))).problems.some(
      (problem) => problem.path === path && /more than|Invalid length/.test(problem.reason),
    );
  expect([isTooLong(most), isTooLong(most + 1)]).toEqual([false, true]);
});

test('config validation: a document has at most 256 KB', () => {
  const problems = (length: number) =>
    validateDocuments(texts(configText().padEnd(length))).problems.map(({ reason }) => reason);
  expect(problems(256 * 1024)).toEqual([]);
  expect(problems(256 * 1024 + 1)).toEqual(['larger than 256 KB']);
});

test('config validation: an unknown flow is an error of each arm', () => {
  const config = configText([arm('a', 50, 'x'), arm('b', 50, 'y')]);
  expect(validateDocuments(texts(config)).problems).toEqual([
    { key: 'config.json', path: 'variants.0.flow', reason: 'no flow x' },
    { key: 'config.json', path: 'variants.1.flow', reason: 'no flow y' },
  ]);
});

test('config validation: offers and coupons name plans of the catalog', () => {
  const offers = {
    a: { plans: ['monthly', 'guide_1799'], upsell: 'upsell_monthly_79', guide: 'guide_1799@2' },
  };
  const coupons = { A: { percent: 10, plans: ['monthly', 'weekly'] } };
  const variants = [arm('a', 100, 'default')];
  const config = JSON.stringify({ experiment: 'e', variants, offers, coupons });
  const main = 'monthly, quarterly, monthly_7d, monthly_5d, monthly_3d';
  expect(configSet.problems(texts(config)).errors).toEqual([
    `config.json offers.a.plans.1: not one of ${main}`,
    expect.stringMatching(
      /^config.json offers.a.upsell: not one of upsell_monthly_999, .*; did you mean upsell_monthly_799\?$/,
    ),
    expect.stringMatching(/^config.json offers.a.guide: not one of guide_899, guide_1799/),
    expect.stringMatching(/^config.json coupons.A.plans.1: not one of monthly, quarterly, /),
  ]);
});

test('config validation: a misspelled name has a suggestion', () => {
  const offers = { a: { plan: ['monthly'], upsell: 'upsell_monthly_799', guide: 'guide_1799' } };
  const coupons = { A: { percnt: 10 }, B: { percent: 10, plan: ['monthly'] } };
  const variants = [{ key: 'a', wieght: 100, flow: 'short' }];
  const config = JSON.stringify({ experiment: 'e', variants, offers, coupons });
  const flows = flowsText({ short: ['one_pager', 'singup', 7] });
  expect(configSet.problems({ 'config.json': config, 'flows.json': flows }).errors).toEqual([
    'config.json variants.0.weight: missing; is wieght a misspelling of it?',
    'config.json offers.a.plans: missing; is plan a misspelling of it?',
    'config.json coupons.A.percent: needs percent (1 to 100) or amount (in cents)',
    'config.json coupons.A.percnt: unknown field; did you mean percent?',
    'config.json coupons.B.plan: unknown field; did you mean plans?',
    'flows.json flows.short.1: no such screen; did you mean signup?',
    'flows.json flows.short.2: no such screen',
  ]);
  const other = texts(
    configText([arm('a', 50, 'defualt'), arm('b', 50, 'shrot')]),
    flowsText({ short: ['success'] }),
  );
  expect(configSet.problems(other).errors).toEqual([
    'config.json variants.0.flow: no flow defualt; did you mean default?',
    'config.json variants.1.flow: no flow shrot; did you mean short?',
  ]);
});

test('config validation: a document that is not an object, or a field with a dot, has no suggestion and does no harm', () => {
  const errorsOf = (config: string) => configSet.problems(texts(config)).errors;
  for (const config of [
    'null',
    '[]',
    '7',
    '"x"',
    '{',
    '{"variants":[null],"offers":{"a.b":{"x":1}}}',
  ]) {
    expect(errorsOf(config).length).toBeGreaterThan(0);
    expect(errorsOf(config).join(' ')).not.toContain('mean');
  }
});

test('config validation: a missing flow is an error beside wrong weights', () => {
  const paths = validateDocuments(texts(configText([arm('a', 99, 'x')]))).problems.map(
    ({ path }) => path,
  );
  expect(paths).toEqual(['variants', 'variants.0.flow']);
});

const sometimes = <T>(good: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 30, arbitrary: good as fc.Arbitrary<unknown> }, fc.jsonValue({ maxDepth: 1 }));
const flowName = fc.constantFrom('default', 'short', 'constructor', '__proto__', 'gone');
const screen = fc.constantFrom('one_pager', 'signup', 'checkout_v3_tr', 'success', 'nope');
const family = fc.constantFrom('monthly', 'quarterly', 'upsell_monthly_799', 'weekly');
const variant = fc.record({
  key: sometimes(fc.constantFrom('a', 'b', 'a/7d', 'a/b/c')),
  weight: sometimes(fc.constantFrom(0, 50, 100, 33.333, -1)),
  flow: sometimes(flowName),
});
const anyOffer = fc.record({
  plans: sometimes(fc.array(family, { maxLength: 2 })),
  upsell: sometimes(family),
  guide: sometimes(fc.constant('guide_899')),
});
const good = fc.constantFrom(
  configText(),
  configText([arm('a', 50), arm('b', 50, 'lp11ch8')]),
  configText([arm('a', 100, 'short')]),
);
const config = fc.oneof(
  { weight: 5, arbitrary: good },
  fc
    .record({
      experiment: sometimes(fc.constant('e')),
      variants: sometimes(fc.array(variant, { maxLength: 3 })),
      offers: sometimes(fc.dictionary(fc.constantFrom('a', '__proto__'), anyOffer)),
    })
    .map((value) => JSON.stringify(value)),
  fc.json(),
  fc.string(),
  fc.constant(' '.repeat(257 * 1024)),
  fc.constant(null),
);
const flows = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(flowsText(), flowsText({ short: ['one_pager', 'success'] })),
  },
  fc
    .record({
      flows: sometimes(fc.dictionary(flowName, fc.array(screen, { maxLength: 3 }))),
      aliases: sometimes(fc.dictionary(fc.string(), screen)),
    })
    .map((value) => JSON.stringify(value)),
  fc.json(),
  fc.string(),
  fc.constant(null),
);

/** Why the Worker refuses documents; null if it accepts them. */
function refusal(documents: Documents): string | null {
  try {
    readDocuments(documents);
    return null;
  } catch (error) {
    if (error instanceof InvalidDocument) return `${error.key} ${error.message}`;
    throw error;
  }
}

test('config validation: there are errors exactly when the Worker refuses the pair, and its reason is the first', () => {
  const seen = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(config, flows, (one, two) => {
      const documents = { 'config.json': one, 'flows.json': two };
      const [first] = validateDocuments(documents).problems;
      const line = first && `${first.key} ${first.path && `${first.path}: `}${first.reason}`;
      expect(refusal(documents)).toBe(line ?? null);
      seen[first ? 'refused' : 'accepted']++;
    }),
    { numRuns: process.env.FULL === '1' ? 20_000 : 1000 },
  );
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(50);
});

/** Warnings for two texts, as `path: reason`. */
function warnings(config: string, flows: string): string[] {
  const { errors, warnings } = configSet.problems(texts(config, flows));
  if (errors.length > 0) throw new Error(errors.join());
  return warnings.map((line) => line.replace(/^\S+ /, ''));
}

test('config validation: the built-in documents cause no warning', () => {
  expect(warnings(builtInDocuments['config.json'], builtInDocuments['flows.json'])).toEqual([]);
});

test.for<[string, string, string, string[]]>([
  [
    'an arm that nobody gets',
    configText([arm('a', 100), arm('b', 0)]),
    flowsText(),
    ['variants.1.weight: no new visitor gets b'],
  ],
  [
    'an offer for no arm',
    configText([arm('intro/7d', 100)], {
      offers: { fullPrice: offer, intro: offer, 'intro/7d': offer, 'intro/5d': offer },
    }),
    flowsText(),
    ['offers.intro/5d: no variant has this key or type, so nobody gets this offer'],
  ],
  [
    'a flow without payment',
    configText(),
    flowsText({ short: ['one_pager', 'upsell_an_private', 'success'] }),
    ['flows.short: no screen takes payment'],
  ],
  [
    'a flow that ends elsewhere',
    configText(),
    flowsText({ short: ['one_pager', 'success', 'checkout_v3_tr'] }),
    ['flows.short: does not end in success'],
  ],
  [
    'the flow for tests, used',
    configText([arm('a', 100, 'stripe_test')]),
    flowsText({ stripe_test: whole }),
    ['variants.0.flow: stripe_test is for tests; production refuses it'],
  ],
  [
    'the flow for tests, only there',
    configText(),
    flowsText({ stripe_test: whole }),
    ['flows.stripe_test: stripe_test is for tests; production refuses it'],
  ],
  [
    'an alias that is a screen or another page',
    configText(),
    flowsText({}, { success: 'one_pager', guide: 'one_pager', start: 'one_pager' }),
    ['success', 'guide'].map(
      (alias) => `aliases.${alias}: a page has this name, so the alias has no effect`,
    ),
  ],
  [
    'misspelt fields',
    configText([{ ...arm('a', 100), wieght: 5 } as never], { ofers: {} }),
    '{"flows":{},"alliases":{}}',
    [
      'variants.0.wieght: this field is not used; did you mean weight?',
      'ofers: this field is not used; did you mean offers?',
      'alliases: this field is not used; did you mean aliases?',
    ],
  ],
])('config validation: a warning for %s', ([, config, flows, expected]) => {
  expect(warnings(config, flows)).toEqual(expected);
});

test('config validation: a coupon for a plan that begins free is warned about', () => {
  const catalog = JSON.parse(builtInDocuments['catalog.json']);
  const { monthly } = catalog.products;
  monthly.versions[2] = { ...monthly.versions[1], intro: { days: 7, free: true } };
  const coupons = { SPRING: { percent: 20, plans: ['quarterly', 'monthly'] } };
  const documents = {
    ...texts(configText(undefined, { coupons }), flowsText()),
    'catalog.json': JSON.stringify(catalog),
  };
  expect(configSet.problems(documents)).toEqual({
    errors: [],
    warnings: ['config.json coupons.SPRING.plans.1: begins free, so no coupon applies to it'],
  });
});

test('config validation: an unknown field of a coupon is an error, not a warning', () => {
  const coupons = { SPRING: { percent: 20, deep: { a: [1, { b: 2 }] } } };
  expect(() => warnings(configText(undefined, { coupons }), flowsText())).toThrow('coupons.SPRING');
});
