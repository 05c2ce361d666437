import { env } from 'cloudflare:test';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
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

const all = Object.entries(places);
const perPlace = env.PROVE ? screenIds.length : 1;
const count = scaled(hostileValues.length);
const values = hostileValues.filter((_, at) => at % (hostileValues.length / count) === 0);

test('no text of a document reaches a page', { timeout: 3_600_000 }, async () => {
  const visit = isolate();
  const pages = new Map<string, string>();
  for (const id of screenIds) {
    pages.set(id, (await visit(answers(good), true, `/${id}`)).html);
  }
  let turn = 0;
  for (const value of values) {
    for (const [place, write] of all) {
      const documents = answers({ ...good, ...write(value) });
      for (let more = 0; more < perPlace; more += 1) {
        turn += 1;
        const id = screenIds[turn % screenIds.length] ?? '';
        const { status, html } = await visit(documents, true, `/${id}`);
        expect([place, value, id, status]).toEqual([place, value, id, 200]);
        expect(html === pages.get(id), `${place} ${value} on ${id}`).toBe(true);
      }
    }
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
