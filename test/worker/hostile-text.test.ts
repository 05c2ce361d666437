import { createExecutionContext, env } from 'cloudflare:test';
import { Hono } from 'hono';
import { afterAll, expect, test } from 'vitest';
import { assignment } from '../../worker/assignment.ts';
import type { App } from '../../worker/env.ts';
import { failed } from '../../worker/failed.ts';
import type { ContentMap } from '../../worker/funnel/content.ts';
import { screenIds } from '../../worker/funnel/flows.ts';
import type { FlatTexts } from '../../worker/funnel/overlay.ts';
import { logged } from '../../worker/logged.ts';
import {
  cancel,
  fallback,
  guide,
  invited,
  mailedLink,
  manage,
  openApp,
  screen,
} from '../../worker/pages.tsx';
import { spokenFrom } from '../../worker/spoken.ts';
import type { Content, ContentStore } from '../../worker/storage/content-store.ts';
import { layOver } from '../../worker/text.ts';
import { visitor } from '../../worker/visitor.ts';
import { hostileValues } from './hostile-values.ts';
import { plain } from './page.ts';
import { scaled } from './purchases/bank.ts';

const articles = ['terms', 'privacy', 'refunds', 'support', 'cookies', 'imprint'];
const shells = { d: openApp, m: mailedLink, guide, i: invited, manage, cancel };
const paths = [...screenIds, ...articles, ...Object.keys(shells), 'nowhere'];
let content: Content = { version: '', texts: null, map: { claims: [], reviews: [] } };
const store = { current: async () => content } as unknown as ContentStore;
const server = new Hono<App>()
  .use(logged, visitor, spokenFrom(store), assignment)
  .notFound(fallback)
  .onError(failed);
for (const [path, page] of Object.entries(shells)) server.get(`/${path}`, page);
server.get('/:screen', screen);

afterAll(() => void layOver('en', null));

/** A page where a value stands in the footer, in an attribute, in what is said, in facts and the query. */
async function open(path: string, value: string) {
  const said = { text: value, source: value, language: 'en' };
  const map: ContentMap = { claims: [said], reviews: [{ ...said, name: value }] };
  const texts: FlatTexts = { 'screens.common.terms': value, 'screens.document.description': value };
  if (content.version !== value) content = { version: value, texts, map };
  const query = new URLSearchParams({ utm_source: value, custom_lng: value, theme: value });
  const headers = { 'accept-language': value.replace(/[^ -~]/g, ''), cookie: 'lng=<b>; arm=">' };
  const bindings = { ...env, COMPANY_NAME: value, COMPANY_ADDRESS: value, SUPPORT_EMAIL: value };
  const url = `/${path}?${query}`;
  const response = await server.request(url, { headers }, bindings, createExecutionContext());
  return { status: response.status, ...(await parsed(response)) };
}

/** Every element with the names of its attributes, and the texts, as a browser reads them. */
async function parsed(response: Response) {
  const elements: string[] = [];
  const links: string[] = [];
  let description = '';
  const text: string[] = [];
  const rewriter = new HTMLRewriter()
    .on('*', {
      element(element) {
        elements.push(
          [element.tagName, ...[...element.attributes].map(([name]) => name)].join(' '),
        );
        if (element.getAttribute('name') === 'description') {
          description = plain(element.getAttribute('content') ?? '');
        }
      },
    })
    .on('a[href="/terms"]', {
      element: () => void links.push(''),
      text: (chunk) => void links.push((links.pop() ?? '') + chunk.text),
    })
    .onDocument({ text: (chunk) => void text.push(chunk.text) });
  await rewriter.transform(response as never).text();
  return { elements, links: links.map(plain), description, text: plain(text.join('')) };
}

const count = scaled(hostileValues.length);
const values = hostileValues.filter((_, at) => at % (hostileValues.length / count) === 0);

test('there are two hundred, each once', () => {
  expect(new Set(hostileValues).size).toBe(200);
});

test.each(paths)(
  'on %s no text from outside becomes markup',
  { timeout: 600_000 },
  async (path) => {
    const calm = await open(path, 'Calm words');
    expect(calm.links.at(-1)).toBe('Calm words');
    for (const value of values) {
      const { status, elements, links, description, text } = await open(path, value);
      expect([value, status, elements]).toEqual([value, calm.status, calm.elements]);
      // What could be markup is not even taken; the rest stands there letter by letter.
      const taken = !/[<[]|\{\{|\$t\(/.test(value);
      expect([links.at(-1), description === value]).toEqual([taken ? value : 'Terms', taken]);
      if (calm.text.includes('Calm words')) expect(text).toContain(taken ? value : 'Terms');
      if (path === 'one_pager_l2' || path === 'imprint') expect(text).toContain(value);
    }
  },
);
