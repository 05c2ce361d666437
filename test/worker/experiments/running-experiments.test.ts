import { env } from 'cloudflare:test';
import { describe, expect, test, vi } from 'vitest';
import type { CountInput } from '../../../worker/analytics/rules/count.ts';
import { createPreview } from '../../../worker/experiments/preview.ts';
import { variantsFor } from '../../../worker/experiments/rules/experiment-arms.ts';
import { pageLanguages } from '../../../worker/experiments/rules/experiments-schema.ts';
import { screenIds } from '../../../worker/experiments/rules/flows.ts';
import { consentValue } from '../../../worker/visitor/rules/consent.ts';
import { idOfKey, newVisitorKey } from '../../../worker/visitor/visitor-key.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { answers, good, isolate } from '../fresh-isolate.ts';
import { attributes, withoutCss } from '../open-page.ts';
import { recordingQueue } from '../queue.ts';
import { post, request } from '../request.ts';
import { experimentsOf, written } from './experiment-of.ts';

const browser = { 'accept-language': 'en', 'user-agent': 'Mozilla/5.0 (iPhone)' };
const warm = { CONFIG_CACHE_SECONDS: '0' };
const offer = { plans: ['monthly'], upsell: 'upsell_monthly_799', guide: 'guide_899' };
const titleKey = 'screens.landing.one_pager.title';
const inAll = (texts: Record<string, string>) =>
  Object.fromEntries(pageLanguages.map((language) => [language, texts]));
const title = 'Know where they are.';
const changed = { texts: inAll({ [titleKey]: title }) };
const two = (changes: object, control = 50) => ({
  variants: [
    { key: 'control', weight: control },
    { key: 'b', weight: 100 - control, changes },
  ],
});

let runs = 0;
/** Publishes by hand, and waits until the Worker serves it. */
async function run(...experiments: object[]) {
  runs += 1;
  const experiment = `split${runs}`;
  const variants = [{ key: 'fullPrice', weight: 100, flow: 'default' }];
  const offers = { fullPrice: { ...offer, plans: ['monthly', 'quarterly'] }, less: offer };
  await env.FUNNEL.put('config.json', JSON.stringify({ experiment, variants, offers }));
  await env.FUNNEL.put('flows.json', JSON.stringify({ flows: {} }));
  await env.FUNNEL.put('experiments.json', JSON.stringify({ experiments }));
  await vi.waitFor(async () => {
    const response = await request('/config.json', {}, warm);
    expect(await response.text()).toContain(`"${experiment}"`);
  }, pollTimeout);
}

/** A browser whose id the draw gives this variant; an empty one for somebody outside. */
function browserIn(variant: string, experiment: object = written('e', two(changed))) {
  const all = experimentsOf(experiment);
  for (;;) {
    const key = newVisitorKey();
    const visitor = {
      ...{ country: 'US', language: 'en', platform: 'ios', source: '' },
      placement: '',
      campaign: '',
    };
    const [given] = variantsFor(all, { ...visitor, id: idOfKey(key), isNew: true }, [], 0);
    if ((given?.variant.key ?? '') === variant)
      return `visitorKey=${key}; userUuid=${idOfKey(key)}`;
  }
}

async function visit(path: string, headers: Record<string, string> = {}) {
  const { sent, queue } = recordingQueue();
  const more = { ...warm, EXPOSURE_QUEUE: queue };
  const response = await request(path, { headers: { ...browser, ...headers } }, more);
  const html = await response.text();
  const cookie = response.headers.getSetCookie().find((each) => each.startsWith('arms='));
  const [, cache] = /cache;desc=(\w+)/.exec(response.headers.get('server-timing') ?? '') ?? [];
  const counts = (sent as CountInput[]).filter(({ step }) => step === 'test:exposure');
  return {
    html: withoutCss(html),
    isChanged: html.includes(title),
    flow: attributes(html, 'main')['data-flow'],
    cookie: cookie && decodeURIComponent(cookie.split(';', 1)[0] ?? ''),
    isDeleted: cookie?.includes('Max-Age=0') ?? false,
    counts: counts.map(({ slice }) => `${slice.experiment}:${slice.variant}`),
    ids: counts.map(({ id }) => id),
    cache,
    control: response.headers.get('cache-control'),
  };
}

const running = (more: object = {}) => written('e', { ...two(changed), ...more });
const past = '2020-01-01T00:00:00Z';
const later = '2120-01-01T00:00:00Z';

/** What a visitor of control sees and counts for, and one whose cookie has the other variant. */
const states: [
  name: string,
  experiments: object[],
  fresh: [boolean, string[]],
  stored: [boolean, string[]],
][] = [
  ['running', [running()], [false, ['e:control']], [true, []]],
  ['not started', [running({ starts: later })], [false, []], [false, []]],
  ['ended with a winner', [running({ winner: 'b' })], [true, []], [true, []]],
  ['ended without a winner', [running({ ends: past })], [false, []], [false, []]],
  ['weights changed', [running(two(changed, 99))], [false, ['e:control']], [true, []]],
  ['the variant stopped', [running(two(changed, 100))], [false, ['e:control']], [false, []]],
  ['removed', [], [false, []], [false, []]],
  ['targeting changed', [running({ targeting: { countries: ['FR'] } })], [false, []], [true, []]],
  ['a layer added', [running({ layer: 'l' })], [false, ['e:control']], [true, []]],
];

describe('experiments: what a visitor sees, counts for and gets as a cookie', () => {
  const consents = [
    ['not required', 'US', ''],
    ['given', 'DE', `; consent=${consentValue('yes')}`],
    ['refused', 'DE', `; consent=${consentValue('no')}`],
  ] as const;

  test.each(states)('%s', async (_name, experiments, fresh, stored) => {
    await run(...experiments);
    const browserCookie = browserIn('control');
    for (const [consent, country, choice] of consents) {
      const headers = { 'cf-ipcountry': country };
      const isRefused = consent === 'refused';
      const first = await visit('/one_pager', { ...headers, cookie: browserCookie + choice });
      expect([consent, first.isChanged, first.counts]).toEqual([consent, ...fresh]);
      expect([consent, first.cookie]).toEqual([
        consent,
        isRefused || fresh[1].length === 0 ? undefined : `arms=${fresh[1].join('.')}`,
      ]);
      const cookie = `${browserCookie}${choice}; arms=e%3Ab`;
      const again = await visit('/one_pager', { ...headers, cookie });
      // Without permission nothing that is stored is read.
      expect([consent, again.isChanged, again.counts]).toEqual([
        consent,
        ...(isRefused ? fresh : stored),
      ]);
      expect([consent, again.isDeleted]).toEqual([consent, isRefused]);
      if (!isRefused) expect([consent, again.cookie]).toEqual([consent, undefined]);
    }
  });
});

test('experiments: new and returning visitors are told apart by the age of their key', async () => {
  const old = browserIn('b').replace(/(?<=visitorKey=[\w-]{22})\w+/, '');
  const uuid = idOfKey(/visitorKey=([^;]+)/.exec(old)?.[1] ?? '');
  const returning = old.replace(/userUuid=.*/, `userUuid=${uuid}`);
  await run(written('e', { ...two(changed, 0), targeting: { visitors: 'new' } }));
  expect((await visit('/one_pager', { cookie: browserIn('b') })).isChanged).toBe(true);
  expect((await visit('/one_pager')).isChanged).toBe(true);
  expect((await visit('/one_pager', { cookie: returning })).isChanged).toBe(false);
  await run(written('e', { ...two(changed, 0), targeting: { visitors: 'returning' } }));
  expect((await visit('/one_pager', { cookie: returning })).isChanged).toBe(true);
  expect((await visit('/one_pager')).isChanged).toBe(false);
});

test('experiments: a campaign of the URL is targeted, on Instagram and not on Facebook', async () => {
  const targeting = { sources: ['meta'], placements: ['instagram'], campaigns: ['spring'] };
  await run(written('e', { ...two(changed, 0), targeting }));
  const changedBy = async (query: string) => (await visit(`/one_pager?${query}`)).isChanged;
  expect(await changedBy('utm_source=ig&utm_campaign=Spring')).toBe(true);
  expect(await changedBy('utm_source=fb&utm_campaign=Spring')).toBe(false);
  expect(await changedBy('utm_source=ig&utm_campaign=summer')).toBe(false);
  expect(await changedBy('')).toBe(false);
});

test('experiments: prefetches, previews and bots are not counted and get no cookie; a page that still counts is requested again', async () => {
  await run(running(two(changed, 0)));
  const cookie = browserIn('b');
  const prefetched = await visit('/one_pager', { cookie, 'sec-purpose': 'prefetch' });
  expect(prefetched).toMatchObject({
    isChanged: true,
    counts: [],
    cookie: undefined,
    control: 'private, no-cache',
  });
  const bot = await visit('/one_pager', { cookie, 'user-agent': 'Googlebot/2.1' });
  expect([bot.counts, bot.cookie]).toEqual([[], undefined]);
  const preview = await createPreview(env.FUNNEL as never, { arm: 'fullPrice' }, 60);
  const previewed = await visit(`/one_pager?preview=${preview}`, { cookie });
  expect([previewed.isChanged, previewed.counts, previewed.cookie]).toEqual([false, [], undefined]);
  const skipped = await visit('/one_pager?skip_split=true', { cookie });
  expect([skipped.isChanged, skipped.counts, skipped.cookie]).toEqual([false, [], undefined]);
  // A screen that no experiment changes counts nobody.
  const unchanged = await visit('/signup', { cookie });
  expect([unchanged.counts, unchanged.cookie]).toEqual([[], undefined]);
});

test('experiments: a visitor who is counted may see a prefetched page again', async () => {
  await run(running(two(changed, 0)));
  const first = await visit('/one_pager');
  expect(first.counts).toEqual(['e:b']);
  const counted = await request('/one_pager', { headers: browser }, warm);
  const cookie = counted.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ');
  const again = await visit('/one_pager', { cookie, 'sec-purpose': 'prefetch' });
  expect([again.control, again.counts]).toEqual(['private, max-age=60', []]);
});

test('experiments: without permission each view is sent with the same id, so it counts once', async () => {
  await run(running(two(changed, 0)));
  const headers = { cookie: browserIn('b'), 'cf-ipcountry': 'DE' };
  const [one, two_] = [await visit('/one_pager', headers), await visit('/one_pager', headers)];
  const other = await visit('/one_pager', { ...headers, cookie: browserIn('b') });
  expect([one.counts, one.ids]).toEqual([['e:b'], two_.ids]);
  expect(other.ids).not.toEqual(one.ids);
});

test('experiments: a visitor who agrees gets the variants that were already counted', async () => {
  await run(
    running(two(changed, 0)),
    written('later', two({ texts: inAll({ 'screens.signup.title': 'Sign up' }) }, 0)),
  );
  const headers = { ...browser, cookie: browserIn('b'), 'cf-ipcountry': 'DE' };
  const agreed = await post(
    '/consent',
    { choice: 'yes' },
    { ...headers, referer: 'http://localhost/one_pager' },
    warm,
  );
  const cookies = agreed.headers
    .getSetCookie()
    .map((each) => decodeURIComponent(each.split(';', 1)[0] ?? ''));
  expect(cookies).toContain('arms=e:b');
});

test('experiments: the cookie keeps what this isolate does not know, and stays below 1 KB', async () => {
  await run(running(two(changed, 0)));
  const unknown = 'other%3Ax';
  const cookie = `${browserIn('b')}; arms=${unknown}`;
  expect((await visit('/one_pager', { cookie })).cookie).toBe('arms=e:b.other:x');
  const many = Array.from({ length: 60 }, (_, at) => `${'n'.repeat(20)}${at}%3Ax`).join('.');
  const { cookie: kept = '' } = await visit('/one_pager', {
    cookie: `${browserIn('b')}; arms=${many}`,
  });
  expect(kept).toMatch(/^arms=e:b\./);
  expect(encodeURIComponent(kept.slice(5)).length).toBeLessThanOrEqual(1024);
});

test('experiments: control and people outside share a page; a screen that nothing changes is one page for all', async () => {
  const half = written('e', { ...two(changed), share: 50 });
  await run(half);
  const [outside, control, b] = ['', 'control', 'b'].map((variant) => ({
    cookie: browserIn(variant, half),
  }));
  const caches = async (path: string, ...who: ({ cookie: string } | undefined)[]) => {
    const all = [];
    for (const headers of who) all.push((await visit(path, headers)).cache);
    return all;
  };
  expect(await caches('/one_pager', outside, control, b, b, outside)).toEqual([
    'miss',
    'hit',
    'miss',
    'hit',
    'hit',
  ]);
  expect(await caches('/signup', outside, control, b)).toEqual(['miss', 'hit', 'hit']);
});

test('experiments: flow, offer and theme of a variant; the page says nothing about the experiment', async () => {
  await run(
    written('flow_test', two({ flow: 'lp11ch8' }, 0)),
    written('offer_test', two({ offer: 'less' }, 0)),
    written('theme_test', two({ theme: 'found' }, 0)),
  );
  const { html, flow, counts } = await visit('/one_pager');
  expect([flow, attributes(html, 'html')['data-theme']]).toEqual(['lp11ch8', 'found']);
  expect(counts).toEqual(['flow_test:b', 'offer_test:b', 'theme_test:b']);
  expect(html).not.toMatch(/flow_test|offer_test|theme_test/);
  const { html: checkout } = await visit('/checkout_h3_pp');
  expect(checkout).toContain('monthly');
  expect(checkout).not.toContain('quarterly');
});

test.each([
  ['an offer', { offer: 'less' }, (screen: string) => /^(one_pager|check|pay|upsell)/.test(screen)],
  ['a text', changed, (screen: string) => screen === 'one_pager'],
])('experiments: %s changes no byte of any other screen', async (_name, changes, isShown) => {
  const pages = async (control: number) => {
    await run(written('e', two(changes, control)));
    const all = [];
    for (const screen of screenIds) {
      const { html } = await visit(`/${screen}`, { cookie: browserIn('control') });
      all.push([screen, html.replace(/[\w-]{43}(?=")/g, '')]);
    }
    return new Map(all as [string, string][]);
  };
  const [control, b] = [await pages(100), await pages(0)];
  const differing = screenIds.filter((screen) => control.get(screen) !== b.get(screen));
  expect(differing.length).toBeGreaterThan(0);
  expect(differing.filter((screen) => !isShown(screen))).toEqual([]);
});

test('experiments: documents that are not valid with them are not served', async () => {
  const visitIn = isolate();
  const versionWith = async (experiment: object) => {
    const text = JSON.stringify({ experiments: [experiment] });
    const documents = answers({ ...good, 'experiments.json': text });
    await visitIn(documents, true, '/nothing');
    return (await visitIn(documents, true, '/nothing')).version;
  };
  const live = await versionWith(running());
  const unknown = { texts: inAll({ 'screens.landing.nowhere': 'x' }) };
  expect(await versionWith(written('e', two(unknown)))).toBe(live);
  expect(await versionWith(written('e', { ...two(changed), weight: 1 }))).toBe(live);
  expect(await versionWith(running({ share: 50 }))).not.toBe(live);
});

/** Keys that an isolate reads of KV for its documents, and then for pages. */
async function readsWith(documents: Record<string, string>) {
  const visitIn = isolate();
  const keys: string[] = [];
  const read = answers({ ...good, ...documents });
  const kv = (key: string) => {
    keys.push(key);
    return read(key);
  };
  await visitIn(kv, true, '/nothing');
  await visitIn(kv, true, '/nothing');
  const ofDocuments = [...new Set(keys.splice(0))].sort();
  for (const path of ['/one_pager', '/signup', '/checkout_v3_tr']) await visitIn(kv, false, path);
  return { ofDocuments, ofPages: keys };
}

test('experiments: a page reads nothing of KV, with experiments or none, and documents without a holdout need no further key', async () => {
  const none = await readsWith({});
  expect(none.ofPages).toEqual([]);
  const documents = (experiments: object[]) => ({
    'experiments.json': JSON.stringify({ experiments }),
  });
  for (const experiments of [[], [running()]])
    expect(await readsWith(documents(experiments))).toEqual(none);
});
