import { env } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { builtInCatalog } from '../../../worker/catalog/rules/catalog.ts';
import { builtInDocuments, versionOf } from '../../../worker/experiments/rules/config-documents.ts';
import { screenIds } from '../../../worker/experiments/rules/flows.ts';
import { seeded } from '../../seeded-random.ts';
import { answers, good, isolate } from '../fresh-isolate.ts';
import { withoutCss } from '../open-page.ts';
import { scaled } from '../payments/payments-fixture.ts';
import { hostileValues } from './hostile-values.ts';

beforeEach(() => {
  // Payment pages contain the current quarter of an hour.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockReturnValue();
});
const variant = (change: object) => ({ key: 'intro/7d', weight: 100, flow: 'lp11ch8', ...change });
const config = (change: object) => ({
  'config.json': JSON.stringify({ experiment: 'good', variants: [variant({})], ...change }),
});
const flows = (change: object) => ({ 'flows.json': JSON.stringify({ flows: {}, ...change }) });
const mainPlans = builtInCatalog.families.filter(
  (family) => builtInCatalog.planOf(family, 'USD').slot === 'main',
);
const offer = { plans: ['monthly'], upsell: 'upsell_monthly_799', guide: 'guide_1799' };

/** Every place in the two documents that can contain a text. */
const places: Record<string, (value: string) => Record<string, string>> = {
  'the experiment': (value) => config({ experiment: value }),
  'an arm': (value) => config({ variants: [variant({ key: value })] }),
  'an arm’s kind': (value) => config({ variants: [variant({ key: `intro/${value}` })] }),
  'an arm’s flow': (value) => config({ variants: [variant({ flow: value })] }),
  'an arm’s weight': (value) => config({ variants: [variant({ weight: value })] }),
  'an offer’s type': (value) => config({ offers: { [value]: offer } }),
  'an offer’s plan': (value) => config({ offers: { intro: { ...offer, plans: [value] } } }),
  'an offer’s guide': (value) => config({ offers: { intro: { ...offer, guide: value } } }),
  'a coupon': (value) => config({ coupons: { [value]: { percent: 10 } } }),
  'a coupon’s end': (value) => config({ coupons: { SAVE: { percent: 10, until: value } } }),
  'a market’s shortcut': (value) =>
    config({ markets: { euro: { shortcuts: ['gmx.de', 'web.de', value] } } }),
  'an unknown field': (value) => config({ [value]: value }),
  'a flow': (value) => flows({ flows: { [value]: ['one_pager'] } }),
  'a flow’s screen': (value) => flows({ flows: { mine: ['one_pager', value] } }),
  'an alias': (value) => flows({ aliases: { [value]: 'one_pager' } }),
  'an alias’s screen': (value) => flows({ aliases: { start: value } }),
};

const count = scaled(hostileValues.length);
const values = hostileValues.filter((_, at) => at % (hostileValues.length / count) === 0);

type Documents = typeof good;
type Json = Record<string, unknown>;
const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One document with the fields of both; the second one takes precedence. */
function merged(one: Json, other: Json): Json {
  const all = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = all[key];
    all[key] = isJson(before) && isJson(value) ? merged(before, value) : value;
  }
  return all;
}

const both = (one: Documents, other: Documents): Documents => {
  const merge = (key: keyof Documents) =>
    JSON.stringify(merged(JSON.parse(one[key]), JSON.parse(other[key])));
  return { 'config.json': merge('config.json'), 'flows.json': merge('flows.json') };
};

/** Opens screens for visitors after these documents were read. */
function pageOpener() {
  const visit = isolate();
  return async (documents: Documents, ...ids: readonly string[]) => {
    await visit(answers(documents), true, '/nothing');
    const pages: Awaited<ReturnType<typeof visit>>[] = [];
    for (const id of ids) {
      const page = await visit(answers(documents), false, `/${id}`);
      pages.push({ ...page, html: withoutCss(page.html) });
    }
    return pages;
  };
}

// A test for each place: all values in all places take longer than a test may.
test.each(Object.entries(places))(
  'hostile documents: no text in %s appears on a page',
  async (place, write) => {
    const show = pageOpener();
    const baseline = await show(good, ...screenIds);
    const isHarmless = place === 'an unknown field';
    let serving = versionOf(good);
    let all = good;
    for (const [turn, value] of values.entries()) {
      const at = turn % screenIds.length;
      const written = { ...good, ...write(value) };
      const [page] = await show(written, screenIds[at] ?? '');
      const what = [place, value, screenIds[at]];
      expect([...what, page?.status]).toEqual([...what, 200]);
      expect(page?.html === baseline[at]?.html, what.join(' ')).toBe(true);
      // A refused one changed nothing: the previous pair is still served.
      if (isHarmless) {
        serving = versionOf(written);
        all = both(all, written);
      }
      expect([...what, page?.version]).toEqual([...what, serving]);
    }
    for (const [at, { html, version }] of (await show(all, ...screenIds)).entries()) {
      expect(version).toBe(versionOf(all));
      expect(html === baseline[at]?.html, `everything that was taken, on ${screenIds[at]}`).toBe(
        true,
      );
    }
  },
);

const many = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`A${at}`, value]));
const plans = (count: number) =>
  Array.from({ length: count }, (_, at) => mainPlans[at % mainPlans.length]);
const selling = (change: object) => config({ offers: { 'intro/7d': { ...offer, ...change } } });

/** Every list of the two documents, with as many entries as fit into a document, which its schema may refuse. */
const lists: Record<string, (count: number) => Record<string, string>> = {
  plans: (count) => selling({ plans: plans(count) }),
  'later plans': (count) => selling({ after: plans(count) }),
  offers: (count) => config({ offers: { ...many(count, offer), 'intro/7d': offer } }),
  coupons: (count) => config({ coupons: many(count, { percent: 10 }) }),
  'a coupon’s plans': (count) => config({ coupons: { A: { percent: 10, plans: plans(count) } } }),
  arms: (count) =>
    config({ variants: [variant({}), ...Array(count).fill(variant({ weight: 0 }))] }),
  flows: (count) => flows({ flows: many(count, ['one_pager']) }),
  screens: (count) => flows({ flows: { lp11ch8: screenIds.slice(0, count) } }),
  'screens again': (count) => flows({ flows: { lp11ch8: Array(count).fill('one_pager') } }),
  aliases: (count) => flows({ aliases: many(count, 'one_pager') }),
};

/** Bytes and tags of a page; the longest page of the built-in documents has about half as many. */
const largest = { bytes: 120_000, tags: 1500 };
const sizeOf = (html: string) => ({
  bytes: new TextEncoder().encode(html).byteLength,
  tags: html.split('<').length,
});

test('hostile documents: page sizes are bounded for any list', { timeout: 600_000 }, async () => {
  const show = pageOpener();
  const accepted: string[] = [];
  for (const [list, write] of Object.entries(lists)) {
    for (const count of [0, 1, 5, 6, 30, 99, 100, 1000, 18_000]) {
      const written = { ...good, ...write(count) };
      // Every seventh screen; all in the full run.
      const ids = screenIds.filter((_, at) => env.FULL || at % 7 === count % 7);
      const [first = '', ...others] = ids;
      const pages = await show(written, first);
      if (pages[0]?.version !== versionOf(written)) continue;
      accepted.push(`${list}: ${count}`);
      pages.push(...(await show(written, ...others)));
      for (const [at, { html, status }] of pages.entries()) {
        const { bytes, tags } = sizeOf(html);
        expect([list, count, ids[at], status]).toEqual([list, count, ids[at], 200]);
        expect(bytes, `${list}: ${count}, ${ids[at]}`).toBeLessThan(largest.bytes);
        expect(tags, `${list}: ${count}, ${screenIds[at]}`).toBeLessThan(largest.tags);
      }
    }
  }
  expect(accepted).toContain('plans: 5');
  expect(accepted).not.toContain('plans: 6');
  expect(accepted.filter((one) => one.endsWith('18000'))).toEqual(['screens: 18000']);
});

test('hostile documents: no text of a preview appears on a page', {
  timeout: 600_000,
}, async () => {
  const token = 'a'.repeat(22);
  const visit = isolate();
  const shown = async (published: object) => {
    const documents = { ...good, [`preview/${token}`]: JSON.stringify(published) };
    const cookie = `preview=${token}`;
    return (await visit(answers(documents), false, '/signup', { cookie })).html;
  };
  const arm = 'intro/7d';
  const [plain, none] = [await shown({ arm, country: 'US' }), await shown({})];
  for (const value of values) {
    const text = value.slice(0, 35);
    expect(await shown({ arm, country: 'US', lng: text, theme: text })).toBe(plain);
    expect(await shown({ arm: value, country: value })).toBe(none);
  }
});

let errors: ReturnType<typeof vi.spyOn>;
const refusals = () =>
  errors.mock.calls.filter(([line]: unknown[]) => String(line).includes('config_refused'));

beforeEach(() => {
  errors = vi.spyOn(console, 'error').mockReturnValue();
});

const bad = (change: object) => ({ experiment: 'bad', variants: [variant(change)] });
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const invalidConfigs: ((random: () => number) => unknown)[] = [
  () => bad({ weight: 0 }),
  (random) => bad({ weight: -random() * 100 }),
  (random) => bad({ weight: random() * 99 }),
  () => bad({ weight: 'NaN' }),
  () => bad({ weight: null }),
  () => bad({ flow: 'no_such_flow' }),
  () => bad({ flow: '__proto__' }),
  () => bad({ key: '<script>alert(1)</script>' }),
  () => ({ experiment: '"><img src=x onerror=alert(1)>', variants: [] }),
  () => ({ experiment: 'bad', variants: Array(100_000).fill({ key: 'a', weight: 0 }) }),
  () => '{"__proto__":{"experiment":"x"},"constructor":1}',
  () => '<!DOCTYPE html><title>502</title>',
  (random) => nested(Math.ceil(random() * 20_000)),
  (random) => good['config.json'].slice(0, Math.floor(random() * good['config.json'].length)),
  () => 'null',
  () => '',
  () => '1e999',
];

const flow = (...screens: unknown[]) => ({ flows: { mine: screens } });
const invalidFlows: ((random: () => number) => unknown)[] = [
  () => flow(),
  () => flow('one_pager', 'no_such_screen'),
  () => flow('one_pager', 'signup', 'one_pager'),
  () => flow('<script>alert(1)</script>'),
  () => flow(null, 1, {}),
  () => ({ flows: { 'a b': ['one_pager'] } }),
  () => ({ flows: {}, aliases: { start: '__proto__' } }),
  () => ({ flows: [] }),
  () => flow(...Array(100_000).fill('success')),
  () => '{"flows":{"__proto__":["one_pager"]',
  (random) => nested(Math.ceil(random() * 20_000)),
  () => '<html></html>',
];

/** A document that must not be served; a number distinguishes two of a kind. */
function invalidDocument(random: () => number, index: number): Record<string, string> {
  const [key, kinds] =
    index % 2
      ? (['config.json', invalidConfigs] as const)
      : (['flows.json', invalidFlows] as const);
  const document = kinds[(index >> 1) % kinds.length]?.(random);
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  return { [key]: `${text}${' '.repeat(1 + index)}` };
}

test('hostile config: invalid documents break no page, the last valid pair is served and one line is logged', {
  timeout: 600_000,
}, async () => {
  const visit = isolate();
  const random = seeded(Date.now());
  await visit(answers(good));
  const total = scaled(10_000);
  for (let index = 0; index < total; index++) {
    const documents = answers({ ...good, ...invalidDocument(random, index) });
    await visit(documents, true, '/nothing');
    const { status, html } = await visit(documents, false);
    expect([index, status, html.includes('data-flow="lp11ch8"')]).toEqual([index, 200, true]);
  }
  expect(refusals().filter(([line]: unknown[]) => String(line).includes('KV failed'))).toEqual([]);
  expect(refusals()).toHaveLength(total);
});

test('hostile config: the built-in documents are valid', async () => {
  expect((await isolate()(answers(builtInDocuments))).html).toContain('data-flow="default"');
  expect(refusals()).toEqual([]);
});
