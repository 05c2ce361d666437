import { createExecutionContext, env } from 'cloudflare:test';
import { Hono } from 'hono';
import { afterAll, expect, test } from 'vitest';
import errors from '../../../locales/en/errors.json';
import guideTexts from '../../../locales/en/guide.json';
import islands from '../../../locales/en/islands.json';
import screens from '../../../locales/en/screens.json';
import { placeholdersOf } from '../../../locales/format/placeholders.ts';
import { recordExposures } from '../../../worker/analytics/exposure.ts';
import type { Content, ContentCache } from '../../../worker/content/content-cache.ts';
import { type ContentMap, readMap } from '../../../worker/content/rules/content-schema.ts';
import type { FlatTexts } from '../../../worker/content/rules/text-overrides.ts';
import { overrideTexts } from '../../../worker/content/translations.ts';
import { translationsFrom } from '../../../worker/content/translations-middleware.ts';
import { assignmentFrom } from '../../../worker/experiments/assignment.ts';
import { LiveConfig } from '../../../worker/experiments/live-config.ts';
import { screenIds } from '../../../worker/experiments/rules/flows.ts';
import { requestLog } from '../../../worker/http/request-log.ts';
import { errorHandler } from '../../../worker/pages/error-handler.ts';
import {
  showCancelPage,
  showFallback,
  showGuidePage,
  showInvitedPage,
  showManagePage,
  showOpenAppPage,
  showScreen,
  showSignInLinkPage,
} from '../../../worker/pages/page-handlers.ts';
import type { App } from '../../../worker/platform/env.ts';
import { visitor } from '../../../worker/visitor/visitor.ts';
import { plain } from '../open-page.ts';
import { hostileValues } from './hostile-values.ts';

const articles = ['terms', 'privacy', 'refunds', 'support', 'cookies', 'imprint'];
const shells = {
  d: showOpenAppPage,
  m: showSignInLinkPage,
  guide: showGuidePage,
  i: showInvitedPage,
  manage: showManagePage,
  cancel: showCancelPage,
};
const paths = [...screenIds, ...articles, ...Object.keys(shells), 'nowhere'];
let content: Content = {
  version: '',
  texts: null,
  english: null,
  map: { claims: [], reviews: [] },
};
const store = { current: async () => content } as unknown as ContentCache;
const server = new Hono<App>()
  .use(
    requestLog,
    visitor,
    translationsFrom(store),
    assignmentFrom(new LiveConfig(), recordExposures),
  )
  .notFound(showFallback)
  .onError(errorHandler);
for (const [path, page] of Object.entries(shells)) server.get(`/${path}`, page);
server.get('/:screen', showScreen);

afterAll(() => void overrideTexts('en', null));

/** Every text of a page with its key, `screens.common.terms`. */
function flat(texts: object, at: string): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string' ? [[`${at}.${key}`, text]] : flat(text, `${at}.${key}`),
  );
}
const models = Object.entries({ screens, islands, errors, guide: guideTexts }).flatMap(
  ([file, texts]) => flat(texts, file),
);

/** A value in place of every text, with the required placeholders and links. */
const everywhere = (value: string): FlatTexts =>
  Object.fromEntries(
    models.map(([key, text]) => [key, [value, ...placeholdersOf(text)].join(' ')]),
  );

const names =
  'utm_source utm_medium utm_campaign utm_term utm_content fbclid gclid ttclid skip_split appDomain custom_lng theme preview next phone email';
const cookies = 'lng arm carry consent preview userUuid _fbc';

/** A page in which a value replaces every text, and is in claims, company facts and parameters. */
async function open(path: string, value: string) {
  const claim = { text: value, source: value, language: 'en' };
  const map: ContentMap = { claims: [claim], reviews: [{ ...claim, name: value }] };
  if (content.version !== value)
    content = { version: value, texts: everywhere(value), english: null, map };
  const query = new URLSearchParams(names.split(' ').map((name) => [name, value]));
  const letters = value.replace(/[^ -~]/g, '');
  const crumb = letters.replace(/[;,]/g, '');
  const headers = {
    'accept-language': letters,
    'user-agent': letters,
    'cf-ipcountry': letters,
    referer: letters,
    cookie: cookies
      .split(' ')
      .map((name) => `${name}=${crumb}`)
      .join('; '),
  };
  const bindings = { ...env, COMPANY_NAME: value, COMPANY_ADDRESS: value, SUPPORT_EMAIL: value };
  const url = `/${path === 'nowhere' ? encodeURIComponent(value) : path}?${query}`;
  const response = await server.request(url, { headers }, bindings, createExecutionContext());
  return { status: response.status, ...(await parsed(response)) };
}

/** Attributes with URLs, and URLs that run code. */
const leads = /href$|^(src|srcset|srcdoc|action|formaction|data|poster|style)$|^data-(next|first)/;
const runs = /^\s*(javascript|vbscript|data:text)/i;

/** Every element with its attribute names, and the texts, as a browser parses them. */
async function parsed(response: Response) {
  const elements: string[] = [];
  const links: string[] = [];
  const scripts: string[] = [];
  let description = '';
  const text: string[] = [];
  const rewriter = new HTMLRewriter()
    .on('*', {
      element(element) {
        const names = [...element.attributes]
          .map(([name = '']) => name)
          // A drawing compresses a long text into its space.
          .filter((name) => !/^(textlength|lengthadjust)$/i.test(name));
        const shape = [element.tagName, ...names].join(' ');
        // The last sentence of a lead stands in an element of its own.
        if (shape !== 'span class') elements.push(shape);
        for (const [name = '', value = ''] of element.attributes) {
          if (leads.test(name) && runs.test(plain(value))) scripts.push(value);
        }
        if (element.getAttribute('name') === 'description')
          description = plain(element.getAttribute('content') ?? '');
      },
    })
    .on('a[href="/terms"]', {
      element: () => void links.push(''),
      text: (chunk) => void links.push((links.pop() ?? '') + chunk.text),
    })
    .onDocument({ text: (chunk) => void text.push(chunk.text) });
  await rewriter.transform(response as never).text();
  return { elements, scripts, links: links.map(plain), description, text: plain(text.join('')) };
}

/** All of them on every page, or distributed among the pages. */
const takesTurn = (value: number, path: number) =>
  Boolean(env.FULL) || value % paths.length === path;

test('hostile texts: the corpus has two hundred distinct texts', () =>
  expect(new Set(hostileValues).size).toBe(200));

test('hostile texts: no remote text becomes markup', { timeout: 1_800_000 }, async () => {
  const baselinePages = new Map<string, Awaited<ReturnType<typeof open>>>();
  for (const path of paths) {
    const page = await open(path, 'Calm words');
    expect([path, page.links.at(-1)]).toEqual([path, 'Calm words']);
    baselinePages.set(path, page);
  }
  // Texts are overlaid on the built-in ones once per value, which takes longer than a page.
  const values = hostileValues.filter((_, at) => env.FULL || at % 4 === 0);
  for (const [at, value] of values.entries()) {
    for (const path of paths.filter((_, turn) => takesTurn(at, turn))) {
      const { status, elements, scripts, links, description, text } = await open(path, value);
      const before = baselinePages.get(path);
      const what = [path, value];
      expect([...what, status, elements]).toEqual([...what, before?.status, before?.elements]);
      expect([...what, scripts]).toEqual([...what, []]);
      // A text that could be markup is refused; others are displayed literally.
      const isAccepted = !/[<[]|\{\{|\$t\(/.test(value);
      // A buyer's own page has no description.
      const describes = before?.description ? description === value : isAccepted;
      const found = [links.at(-1), describes];
      expect([...what, ...found]).toEqual([...what, isAccepted ? value : 'Terms', isAccepted]);
      const shown = isAccepted ? value : 'Terms';
      if (before?.text.includes('Calm words')) expect(text, path).toContain(shown);
      if (path === 'one_pager_l2' || path === 'imprint') expect(text, path).toContain(value);
    }
  }
});

/** The content map with the maximum of everything that is accepted. */
function largestMap(): ContentMap {
  const longest = { source: 'ア'.repeat(160), language: 'en' };
  const review = { ...longest, name: 'ア'.repeat(60), text: 'ア'.repeat(400) };
  const claim = { ...longest, text: 'ア'.repeat(120) };
  const most = (key: string, one: object): ContentMap => {
    for (let count = 500; ; count -= 1) {
      try {
        return readMap(JSON.stringify({ [key]: [Array(count).fill(one)] }));
      } catch {
        // Too large: remove one.
      }
    }
  };
  return { reviews: most('reviews', review).reviews, claims: most('claims', claim).claims };
}

test('hostile texts: page sizes are bounded for any number of claims and reviews', async () => {
  const map = largestMap();
  expect(Math.min(map.reviews.length, map.claims.length)).toBeGreaterThan(5);
  content = { version: 'largest', texts: null, english: null, map };
  for (const id of screenIds) {
    const response = await server.request(`/${id}`, {}, env, createExecutionContext());
    const { byteLength } = await response.arrayBuffer();
    expect([id, response.status]).toEqual([id, 200]);
    expect(byteLength, id).toBeLessThan(150_000);
  }
});
