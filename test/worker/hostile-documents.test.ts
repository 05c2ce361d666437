import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { versionOf } from '../../worker/funnel/documents.ts';
import { screenIds } from '../../worker/funnel/flows.ts';
import { hostileValues } from './hostile-values.ts';
import { answers, good, isolate } from './isolate.ts';
import { scaled } from './purchases/bank.ts';

beforeEach(() => {
  // Pages that take payment say which quarter of an hour it is.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockReturnValue();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const variant = (change: object) => ({ key: 'intro/7d', weight: 100, flow: 'lp11ch8', ...change });
const config = (change: object) => ({
  'config.json': JSON.stringify({ experiment: 'good', variants: [variant({})], ...change }),
});
const flows = (change: object) => ({ 'flows.json': JSON.stringify({ flows: {}, ...change }) });
const offer = { plans: ['monthly'], upsell: 'upsell_monthly_799', guide: 'guide_1799' };

/** Every place of the two documents that a text can stand in. */
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
  'a field of its own': (value) => config({ [value]: value }),
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

/** One document with the fields of both; where both have one, that of the second. */
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

const versionIn = (documents: Documents) =>
  versionOf(documents['config.json'], documents['flows.json']);

/** Shows screens to visitors who come when these documents were read. */
function opened() {
  const visit = isolate();
  return async (documents: Documents, ...ids: readonly string[]) => {
    await visit(answers(documents), true, '/nothing');
    const pages: Awaited<ReturnType<typeof visit>>[] = [];
    for (const id of ids) pages.push(await visit(answers(documents), true, `/${id}`));
    return pages;
  };
}

test('no text of a document reaches a page', { timeout: 600_000 }, async () => {
  const show = opened();
  const calm = await show(good, ...screenIds);
  const taken: string[] = [];
  let [serving, all] = [versionIn(good), good];
  let turn = 0;
  for (const value of values) {
    for (const [place, write] of Object.entries(places)) {
      turn += 1;
      const at = turn % screenIds.length;
      const written = { ...good, ...write(value) };
      const [page] = await show(written, screenIds[at] ?? '');
      const what = [place, value, screenIds[at]];
      expect([...what, page?.status]).toEqual([...what, 200]);
      expect(page?.html === calm[at]?.html, what.join(' ')).toBe(true);
      // Refused, it changed nothing at all: what served before serves on, whole.
      if (page?.version === serving) continue;
      serving = versionIn(written);
      expect(page?.version).toBe(serving);
      taken.push(place);
      all = both(all, written);
    }
  }
  const harmless = ['an offer’s type', 'a field of its own'];
  expect([...new Set(taken)]).toEqual(harmless);
  expect(taken).toHaveLength(harmless.length * values.length);
  const pages = await show(all, ...screenIds);
  for (const [at, { html, version }] of pages.entries()) {
    expect(version).toBe(versionIn(all));
    expect(html === calm[at]?.html, `everything that was taken, on ${screenIds[at]}`).toBe(true);
  }
});

test('no text of a preview reaches a page', { timeout: 600_000 }, async () => {
  const token = 'a'.repeat(22);
  const visit = isolate();
  const shown = async (said: object) => {
    const documents = { ...good, [`preview/${token}`]: JSON.stringify(said) };
    const cookie = `preview=${token}`;
    const { html } = await visit(answers(documents), true, '/signup', { cookie });
    return html;
  };
  const arm = 'intro/7d';
  const [plain, none] = [await shown({ arm, country: 'US' }), await shown({})];
  for (const value of values) {
    const text = value.slice(0, 35);
    expect(await shown({ arm, country: 'US', lng: text, theme: text })).toBe(plain);
    expect(await shown({ arm: value, country: value })).toBe(none);
  }
});
