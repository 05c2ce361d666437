import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import { Hono } from 'hono';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordExposures } from '../../../worker/analytics/exposure.ts';
import { ContentCache } from '../../../worker/content/content-cache.ts';
import { overrideTexts } from '../../../worker/content/translations.ts';
import { translationsFrom } from '../../../worker/content/translations-middleware.ts';
import { assignmentFrom } from '../../../worker/experiments/assignment.ts';
import { LiveConfig } from '../../../worker/experiments/live-config.ts';
import { preview } from '../../../worker/experiments/preview.ts';
import { requestLog } from '../../../worker/http/request-log.ts';
import { errorHandler } from '../../../worker/pages/error-handler.ts';
import { showEntry, showScreen } from '../../../worker/pages/page-handlers.ts';
import type { App } from '../../../worker/platform/env.ts';
import { visitor } from '../../../worker/visitor/visitor.ts';
import { kvOf } from '../kv-of.ts';
import { attributes, texts } from '../open-page.ts';
import { faultBehaviours, shortenTimers } from './faulty-binding.ts';

type Read = () => Promise<string | null>;

const experiment = (name: string, flow: string) =>
  JSON.stringify({ experiment: name, variants: [{ key: 'intro/7d', weight: 100, flow }] });
const title = (text: string) => JSON.stringify({ 'screens.landing.one_pager.title': text });
const token = 'a-token-of-a-preview22';

/** Every key that the Worker reads, as written by a marketer. */
const written: Record<string, string> = {
  'config.json': experiment('good', 'mine'),
  'flows.json': JSON.stringify({ flows: { mine: ['one_pager', 'signup', 'checkout_v3_tr'] } }),
  'content/manifest': JSON.stringify({ timestamp: 2, files: ['content', 'en'] }),
  'content/2/content': JSON.stringify({ claims: [[]], reviews: [[]] }),
  'content/2/en': title('From outside'),
  [`preview/${token}`]: JSON.stringify({ arm: 'intro/7d', country: 'US' }),
};

const hashes = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(32));
const releaseOf = (time: string, names: readonly string[], first: number) => ({
  ...{ version: time, time, who: 'ann' },
  documents: Object.fromEntries(names.map((name, at) => [name, hashes[first + at]])),
});
const manifestOf = (time: string) =>
  JSON.stringify({
    config: releaseOf(time, ['config.json', 'flows.json'], 0),
    content: releaseOf(time, ['content.json', 'en.json'], 2),
  });

/** The same documents, as a command or the console publishes them. */
const published: Record<string, string> = {
  'documents/manifest': manifestOf('2026-11-02T10:00:00.000Z'),
  [`documents/${hashes[0]}`]: written['config.json'] ?? '',
  [`documents/${hashes[1]}`]: written['flows.json'] ?? '',
  [`documents/${hashes[2]}`]: written['content/2/content'] ?? '',
  [`documents/${hashes[3]}`]: written['content/2/en'] ?? '',
  [`preview/${token}`]: written[`preview/${token}`] ?? '',
};

/** The previous values, which an edge may serve for another minute. */
const older: Record<string, string> = {
  'config.json': experiment('older', 'default'),
  'flows.json': JSON.stringify({ flows: { mine: ['one_pager', 'features'] } }),
  'content/manifest': JSON.stringify({ timestamp: 1, files: ['content', 'en'] }),
  'content/2/content': JSON.stringify({ claims: [[]] }),
  'content/2/en': title('From outside'),
  [`preview/${token}`]: JSON.stringify({ arm: 'fullPrice' }),
  'documents/manifest': manifestOf('2026-11-01T10:00:00.000Z'),
};

const large = 24 * 1024 * 1024;
const junk = 'x'.repeat(large);
const padded = `{"pad":"${junk}"}`;

const ways: Record<string, (key: string) => Read> = {
  throws: () => faultBehaviours.throws,
  rejects: () => faultBehaviours.rejects,
  'hangs for 30 s': () => () => new Promise((resolve) => setTimeout(() => resolve(null), 30_000)),
  'holds null': () => async () => null,
  'is stale': (key) => async () => older[key] ?? null,
  'is truncated': (key) => async () => ({ ...published, ...written })[key]?.slice(0, -7) ?? null,
  'holds HTML': () => async () => '<!DOCTYPE html><title>502 Bad Gateway</title>',
  'holds 24 MB of junk': () => async () => junk,
  'holds 24 MB of JSON': () => async () => padded,
};

/** An isolate with empty memory, and its pages. */
function isolate(stored: Record<string, string>) {
  const server = new Hono<App>()
    .use(requestLog, preview, visitor, translationsFrom(new ContentCache()))
    .use(assignmentFrom(new LiveConfig(), recordExposures))
    .get('/', showEntry)
    .get('/:screen', showScreen)
    .onError(errorHandler);
  return async (path: string, broken: Record<string, Read> = {}, waits = false) => {
    const get = (key: string) => (broken[key] ?? (async () => stored[key] ?? null))();
    const context = createExecutionContext();
    const headers = {
      'accept-language': 'en',
      'user-agent': 'Mozilla/5.0',
      cookie: `preview=${token}`,
    };
    const bindings = { ...env, FUNNEL: kvOf(get), CONFIG_CACHE_SECONDS: '-1' };
    const response = await server.request(path, { headers }, bindings, context);
    const html = await response.text();
    if (waits) await waitOnExecutionContext(context);
    const { lang } = attributes(html, 'html');
    const main = attributes(html, 'main');
    const arm = response.headers.getSetCookie().some((cookie) => cookie.startsWith('arm='));
    return { status: response.status, lang, main, arm, heading: texts(html, 'h1')[0] ?? '' };
  };
}

beforeEach(() => {
  shortenTimers(100);
});
afterEach(() => {
  overrideTexts('en', null);
});

const cases = [written, published].flatMap((stored) =>
  Object.keys(stored).flatMap((key) =>
    Object.entries(ways).map(([name, way], at) => [key, name, way(key), stored, at] as const),
  ),
);
const loads = env.FULL ? 100 : 2;
/** Reading megabytes is slow, so only the full run reads them as often as the others. */
const loadsOf = (way: string) => (/MB/.test(way) && !env.FULL ? 1 : loads);
const visited = ['/', '/one_pager', '/searching', '/signup', '/checkout_v3_tr', '/success'];

test.each(cases)(
  'faults: %s %s: a cold isolate serves every page',
  async (key, way, read, stored, at) => {
    for (let load = 0; load < loadsOf(way); load += 1) {
      const path = visited[(at + load) % visited.length] ?? '/';
      const { status, lang, main, heading } = await isolate(stored)(path, { [key]: read });
      expect([status, lang, main['data-screen']]).toEqual([
        200,
        'en',
        path.slice(1) || 'one_pager',
      ]);
      expect(heading).not.toBe('');
    }
  },
);

const stale = new Set(['is stale']);

test.each(cases)(
  'faults: %s %s: a warm isolate continues with its cache',
  async (key, way, read, stored) => {
    const visit = isolate(stored);
    await visit('/one_pager', {}, true);
    for (let load = 0; load < loadsOf(way); load += 1) {
      const { status, main, heading } = await visit('/one_pager', { [key]: read });
      expect([status, heading]).toEqual([200, 'From outside']);
      // A stale value is valid, so it may be served; it has a flow of its own.
      const flows = stale.has(way) ? ['mine', 'default'] : ['mine'];
      if (!key.startsWith('preview')) expect(flows).toContain(main['data-flow']);
    }
  },
);

const ofConfig = /json$|manifest$|[ab]{32}$/;

test.each(
  cases.filter(([key, way]) => ofConfig.test(key) && key !== 'content/manifest' && !stale.has(way)),
)('faults: %s %s: a cold isolate assigns no visitor to an arm', async (key, _way, read, stored) => {
  const bare = { [key]: read, [`preview/${token}`]: async () => null };
  const { main, arm } = await isolate(stored)('/one_pager', bare);
  expect([main['data-flow'], arm]).toEqual(['default', false]);
});

test.each([
  ['written by hand', written],
  ['published', published],
])('faults: without faults the pages have the marketer’s documents, %s', async (_, stored) => {
  const { main, heading } = await isolate(stored)('/one_pager', {}, true);
  expect([main['data-flow'], main['data-arm'], heading]).toEqual([
    'mine',
    'intro/7d',
    'From outside',
  ]);
});
