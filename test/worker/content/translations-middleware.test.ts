import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import { Hono } from 'hono';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import german from '../../../locales/de/screens.json';
import { recordExposures } from '../../../worker/analytics/exposure.ts';
import { ContentCache } from '../../../worker/content/content-cache.ts';
import { overrideTexts } from '../../../worker/content/translations.ts';
import { translationsFrom } from '../../../worker/content/translations-middleware.ts';
import { assignmentFrom } from '../../../worker/experiments/assignment.ts';
import { LiveConfig } from '../../../worker/experiments/live-config.ts';
import { requestLog } from '../../../worker/http/request-log.ts';
import { errorHandler } from '../../../worker/pages/error-handler.ts';
import { showScreen } from '../../../worker/pages/page-handlers.ts';
import type { App } from '../../../worker/platform/env.ts';
import { visitor } from '../../../worker/visitor/visitor.ts';
import { texts } from '../open-page.ts';

const errors = vi.fn();
const linesOf = (event: string) =>
  errors.mock.calls
    .map(([line]) => JSON.parse(String(line)) as Record<string, string>)
    .filter((line) => line.event === event);

const builtIn = german.landing.one_pager.title;
const title = 'screens.landing.one_pager.title';
let now = 1000;

/** An outside content service: its published files, and replaced responses. */
type Answer = (path: string) => Response | Promise<Response>;
const publishing =
  (files: Record<string, unknown>): Answer =>
  (path) => {
    const [, name = ''] = /\/(\w+)(?:\?.*)?$/.exec(path) ?? [];
    if (name === 'manifest') return Response.json({ timestamp: now });
    return name in files ? Response.json(files[name]) : new Response('none', { status: 404 });
  };

/** An isolate with its own copy of the content, and its page in German. */
function isolate() {
  const server = new Hono<App>()
    .use(
      requestLog,
      visitor,
      translationsFrom(new ContentCache()),
      assignmentFrom(new LiveConfig(), recordExposures),
    )
    .get('/:screen', showScreen)
    .onError(errorHandler);
  return async (answer: Answer, { path = '/one_pager', waits = true, more = {} } = {}) => {
    vi.stubGlobal('fetch', async (address: string) => answer(address));
    const context = createExecutionContext();
    const bindings = {
      ...env,
      CONTENT_URL: 'https://texts.example',
      CONFIG_CACHE_SECONDS: '-1',
      ...more,
    };
    const init = { headers: { 'accept-language': 'de' } };
    const response = await server.request(path, init, bindings, context);
    const html = await response.text();
    if (waits) await waitOnExecutionContext(context);
    return { status: response.status, title: texts(html, 'h1')[0], html };
  };
}

const down: Answer = () => {
  throw new TypeError('down');
};

beforeEach(() => {
  errors.mockReset();
  vi.spyOn(console, 'error').mockImplementation(errors);
  now += 1;
});
// Retries after a test must not reach the network.
afterEach(() => {
  vi.stubGlobal('fetch', async () => down(''));
  overrideTexts('de', null);
});

test('remote texts: a page shows them, key by key', async () => {
  const open = isolate();
  const first = await open(publishing({ de: { [title]: 'Mein Titel' } }));
  expect([first.status, first.title]).toEqual([200, 'Mein Titel']);
  expect(first.html).toContain('Telefonnummer');
});

test('remote texts: a new publication also replaces cached pages', async () => {
  const open = isolate();
  await open(publishing({ de: { [title]: 'Eins' } }));
  now += 1;
  const next = publishing({ de: { [title]: 'Zwei' } });
  expect((await open(next)).title).toBe('Eins');
  expect((await open(next)).title).toBe('Zwei');
});

const broken: [string, Answer][] = [
  ['is down', down],
  ['never answers', () => new Promise(() => {})],
  ['answers 500', () => new Response('oops', { status: 500 })],
  ['has a wrong timestamp', () => Response.json({ timestamp: 'yesterday' })],
  [
    'sends half a file',
    (path) =>
      path.endsWith('manifest')
        ? Response.json({ timestamp: now })
        : new Response(`{"${title}":"Hal`),
  ],
];

test.for(broken)(
  'remote texts: with a service that %s a page has the built-in text',
  async ([, answer]) => {
    const { status, title: shown } = await isolate()(answer, { waits: false });
    expect([status, shown]).toEqual([200, builtIn]);
  },
);

test('remote texts: an invalid text is refused and logged, the others are used', async () => {
  const { status, title: shown } = await isolate()(
    publishing({ de: { [title]: 'Mein Titel', 'screens.common.terms': '<b>AGB</b>' } }),
  );
  expect([status, shown]).toEqual([200, 'Mein Titel']);
  expect(linesOf('translation_refused')).toMatchObject([
    { lng: 'de', text: 'screens.common.terms', reason: 'other placeholders or markup' },
  ]);
});

const review = {
  name: 'Uwe',
  text: 'Wir wissen es.',
  source: 'App Store, 3.11.2026',
  language: 'de',
};
test('reviews: photos are preloaded with the page', async () => {
  const pictured = { ...review, img: '/images/uwe.webp' };
  const published = publishing({ content: { reviews: [[pictured]] } });
  const htmlOf = async (path: string) => (await isolate()(published, { path })).html;
  const link = '<link rel="preload" as="image" href="/images/uwe.webp"/>';
  for (const path of ['/signup_testim', '/one_pager_l2', '/paycheck1_pr5_h_win']) {
    expect(await htmlOf(path)).toContain(link);
  }
  expect(await htmlOf('/signup')).not.toContain('uwe.webp');
});

const claim = { text: 'Über 9 Millionen', source: 'Zählung 2026', language: 'de' };

test.for(['production', 'test'])(
  'reviews: in %s real reviews and claims are shown with their source, without samples',
  async (ENVIRONMENT) => {
    const { html } = await isolate()(
      publishing({ content: { reviews: [[review]], claims: [[claim]] } }),
      { path: '/one_pager_l2', more: { ENVIRONMENT } },
    );
    for (const text of [...Object.values(review).slice(0, 3), claim.text, claim.source]) {
      expect(html).toContain(text);
    }
    expect(html).not.toContain('Beispiel');
  },
);
