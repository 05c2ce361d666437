import { env } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import arabic from '../../../locales/ar/screens.json';
import german from '../../../locales/de/screens.json';
import englishPages from '../../../locales/en/pages.json';
import english from '../../../locales/en/screens.json';
import spanish from '../../../locales/es/screens.json';
import frenchPages from '../../../locales/fr/pages.json';
import french from '../../../locales/fr/screens.json';
import { attributes, open, texts } from '../open-page.ts';
import { request } from '../request.ts';

const errors = vi.fn();
const logged = () =>
  errors.mock.calls
    .map(([line]) => JSON.parse(String(line)) as Record<string, string>)
    .filter(({ event }) => event === 'language_file_failed')
    .map(({ lng }) => lng);

beforeEach(() => {
  errors.mockReset();
  vi.spyOn(console, 'error').mockImplementation(errors);
  vi.useFakeTimers({ toFake: ['Date'] });
});
type Answer = (request: Request) => Promise<Response>;

async function shown(path: string, language: string, answer?: Answer) {
  const headers = { 'accept-language': language };
  const fetch: Answer = (request) =>
    answer && request.url.includes('/languages/') ? answer(request) : env.ASSETS.fetch(request);
  const { status, html } = await open(path, headers, { ASSETS: { fetch } });
  const { lang, dir } = attributes(html, 'html');
  return { status, lang, dir, title: texts(html, 'h1')[0] };
}

const inEnglish = { status: 200, lang: 'en', dir: 'ltr', title: english.landing.one_pager.title };

const untilAborted: Answer = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

// A separate language for each case, because the isolate caches what it has read.
const broken: [string, string, typeof german, Answer][] = [
  ['are gone', 'de', german, async () => new Response('none', { status: 404 })],
  ['are cut off', 'fr', french as typeof german, async () => new Response('{"screens":{"la')],
  ['are out of reach', 'ar', arabic as never, () => Promise.reject(new TypeError('down'))],
  ['never arrive', 'es', spanish as never, untilAborted],
];

test.for(broken)(
  'language files: while they %s a page is in English, logged once, and in its language afterwards',
  async ([, language, own, answer]) => {
    for (const _ of [1, 2, 3]) {
      expect(await shown('/one_pager', language, answer)).toEqual(inEnglish);
      vi.advanceTimersByTime(60_000);
    }
    expect(logged()).toEqual([language]);
    const { lang, title } = await shown('/one_pager', language);
    expect([lang, title]).toEqual([language, own.landing.one_pager.title]);
  },
);

test('language files: a failed read is not retried at once', async () => {
  const answer = vi.fn<Answer>(async () => new Response('none', { status: 404 }));
  for (const _ of [1, 2, 3]) await shown('/one_pager', 'nl', answer);
  expect(answer).toHaveBeenCalledTimes(1);
});

test('language files: an isolate reads each once', async () => {
  const answer = vi.fn<Answer>((request) => env.ASSETS.fetch(request));
  for (const _ of [1, 2]) expect((await shown('/signup', 'pl', answer)).lang).toBe('pl');
  expect(answer).toHaveBeenCalledTimes(1);
});

test('language files: a legal page without its file is in English until it can be read', async () => {
  const withoutPages: Answer = async (request) =>
    request.url.includes('-pages.') ? new Response('', { status: 404 }) : env.ASSETS.fetch(request);
  const { title: before, lang } = await shown('/terms', 'fr', withoutPages);
  expect([before, lang]).toEqual([englishPages.terms.title, 'fr']);
  expect(logged()).toEqual(['fr']);
  vi.advanceTimersByTime(60_000);
  expect((await shown('/terms', 'fr')).title).toBe(frenchPages.terms.title);
});

test('language files: browsers cannot request them', async () => {
  const read = vi.fn<Answer>((request) => env.ASSETS.fetch(request));
  await shown('/signup', 'it', read);
  const path = new URL(read.mock.calls[0]?.[0].url ?? '').pathname;
  expect(path).toMatch(/^\/edge\/languages\/it-texts\.\w+\.json$/);
  expect((await request(path)).status).toBe(404);
});
