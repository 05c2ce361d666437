import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { takePage } from '../../../../islands/runtime/navigation/fetch-page.ts';

/** As much of a document as is looked at: its build, and whether it is a page of ours. */
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
afterEach(() => void vi.unstubAllGlobals());

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

it('fetch page: fetches a failed screen again', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  expect(await takePage('/features')).toBeNull();
  serves(page('old'));
  expect(await takePage('/features')).not.toBeNull();
});
