import fc from 'fast-check';
import { beforeEach, expect, it, vi } from 'vitest';
import { keptQuery } from '../../../../islands/runtime/hydration/request-page.ts';
import { takePage } from '../../../../islands/runtime/navigation/fetch-page.ts';
import { clickIds } from '../../../../worker/http/query-allowlist.ts';
import { pollTimeout } from '../../../poll-timeout.ts';
import { documentWith, element, openPage } from '../../dom.ts';

const known = [
  ...clickIds,
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'skip_split',
  'appDomain',
  'custom_lng',
  'theme',
];

it('kept query: keeps the known parameters only', () => {
  expect(keptQuery(`?${known.map((name) => `${name}=1`).join('&')}`)).toBe(
    `?${known.map((name) => `${name}=1`).join('&')}`,
  );
  expect(keptQuery('?phone=555&gclid=a&email=a%40b.co&utm_id=3&GCLID=x')).toBe('?gclid=a');
  expect(keptQuery('')).toBe('');
});

it('kept query: keeps the first value of a repeated parameter, up to 512 characters', () => {
  expect(keptQuery('?theme=a&theme=b')).toBe('?theme=a');
  expect(keptQuery(`?gclid=${'x'.repeat(600)}`)).toHaveLength('?gclid='.length + 512);
});

it('kept query: is idempotent', () => {
  const part = fc.tuple(fc.constantFrom(...known, 'other', 'utm_'), fc.string());
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const once = keptQuery(`?${new URLSearchParams(parts)}`);
      expect(keptQuery(once)).toBe(once);
    }),
  );
});

/** The parts of a document that are checked: its build, and whether it is one of our pages. */
function documentOf(html: string) {
  const build = /<html data-build="(.*?)"/.exec(html)?.[1];
  const src = /<script type="module" src="(.*?)"/.exec(html)?.[1];
  const script = src === undefined ? null : { getAttribute: () => src };
  const main = html.includes('<main') ? {} : null;
  return {
    documentElement: { dataset: { build } },
    querySelector: (wanted: string) => (wanted === 'main' ? main : script),
  };
}

const page = (build: string, inner = '<main></main>', loader = build) =>
  `<html data-build="${build}"><script type="module" src="/static/js/loader.${loader}.js"></script>${inner}`;
const serves = (html: string, status = 200) =>
  vi.stubGlobal('fetch', async () => new Response(html, { status }));

beforeEach(() => {
  vi.stubGlobal('location', { search: '' });
  vi.stubGlobal('document', documentOf(page('old')));
  vi.stubGlobal(
    'DOMParser',
    class {
      parseFromString = documentOf;
    },
  );
});
it('fetch page: accepts a screen of the same build', async () => {
  serves(page('old'));
  expect(await takePage('/signup')).not.toBeNull();
});

it.each([
  ['of a build that was deployed since', page('new'), 200],
  ['of another build with the same loader', page('new', '<main></main>', 'old'), 200],
  ['of a proxy that says nothing of a build', '<html><main></main>', 200],
  ['that is no page of ours', page('old', ''), 200],
  ['that is an error', page('old'), 503],
])('fetch page: a screen %s needs its own document', async (_, html, status) => {
  serves(html, status);
  expect(await takePage('/signup')).toBeNull();
});

it('fetch page: a failed request is repeated at the next call', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  expect(await takePage('/features')).toBeNull();
  serves(page('old'));
  expect(await takePage('/features')).not.toBeNull();
});

it.each([
  ['ordinary', 'payment'],
  ['payment', 'payment'],
  ['payment', 'ordinary'],
])(
  'prefetch page: from %s to %s the browser fetches the document, once',
  async (kind, nextKind) => {
    vi.resetModules();
    const data = { 'data-kind': kind, 'data-next': '/pay', 'data-next-kind': nextKind };
    const { document } = openPage(
      documentWith(element('main', data)),
      'https://a.example/?gclid=1',
    );
    vi.stubGlobal('HTMLScriptElement', { supports: () => true });
    const { prefetchPage } = await import('../../../../islands/runtime/navigation/fetch-page.ts');
    prefetchPage();
    prefetchPage();
    const [rules, ...more] = document.head.children as unknown as { type: string; text: string }[];
    expect([rules?.type, more]).toEqual(['speculationrules', []]);
    expect(JSON.parse(rules?.text ?? '')).toEqual({
      prefetch: [{ urls: ['/pay?gclid=1'], eagerness: 'immediate' }],
    });
  },
);

/** A page whose next two screens can be swapped in; `asked` are the fetched paths. */
async function openFlow() {
  vi.resetModules();
  const screen = (next: string) =>
    element('main', { 'data-kind': 'ordinary', 'data-next': next, 'data-next-kind': 'ordinary' });
  const style = Object.assign(element('style', { 'data-css': '' }), { textContent: 'p{margin:0}' });
  const root = { 'data-build': 'one' };
  const { document } = openPage(documentWith(screen('/searching'), root));
  const page = documentWith(screen('/signup'), root, style);
  vi.stubGlobal(
    'DOMParser',
    class {
      parseFromString = () => page;
    },
  );
  const fetch = vi.fn(async (_path: string) => new Response(''));
  vi.stubGlobal('fetch', fetch);
  const { prefetchPage } = await import('../../../../islands/runtime/navigation/fetch-page.ts');
  const requestedPaths = () => fetch.mock.calls.map(([path]) => path);
  return { document, prefetchPage, requestedPaths };
}

it('prefetch page: a screen’s styles are parsed in advance and not applied yet', async () => {
  const { document, prefetchPage, requestedPaths } = await openFlow();
  prefetchPage();
  await vi.waitFor(() => expect(document.head.children).toHaveLength(1), pollTimeout);
  expect(document.head.children[0]).toMatchObject({ textContent: 'p{margin:0}', media: 'none' });
  expect(requestedPaths()).toEqual(['/searching']);
});

it('prefetch page: a touch also requests the screen after the next, and none further', async () => {
  const { prefetchPage, requestedPaths } = await openFlow();
  prefetchPage(true);
  await vi.waitFor(() => expect(requestedPaths()).toEqual(['/searching', '/signup']), pollTimeout);
});

it.each([
  ['a payment screen', { kind: 'ordinary', next: '/pay', 'next-kind': 'payment' }],
  ['the screen after a payment', { kind: 'payment', next: '/upsell', 'next-kind': 'payment' }],
  ['nothing', { kind: 'ordinary' }],
])('early request: %s is not requested', async (_, data) => {
  const attributes = Object.entries(data).map(([name, value]) => [`data-${name}`, value]);
  openPage(documentWith(element('main', Object.fromEntries(attributes))));
  const fetch = vi.fn();
  vi.stubGlobal('fetch', fetch);
  const { requestPage } = await import('../../../../islands/runtime/hydration/request-page.ts');
  requestPage();
  expect(fetch).not.toHaveBeenCalled();
});

it('early request: a touch requests the next screen once, also after the response was used', async () => {
  const { prefetchPage, requestedPaths } = await openFlow();
  const { requestPage } = await import('../../../../islands/runtime/hydration/request-page.ts');
  requestPage();
  prefetchPage();
  requestPage();
  await Promise.resolve();
  expect(requestedPaths()).toEqual(['/searching']);
});
