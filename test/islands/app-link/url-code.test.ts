import { afterEach, expect, it, vi } from 'vitest';
import { codeInUrl, putCodeInUrl, watchUrlCode } from '../../../islands/app-link/url-code.ts';

afterEach(() => void vi.unstubAllGlobals());

it.each([
  ['#AAAAAAAAAAAAAAAAAAAA-_', 'AAAAAAAAAAAAAAAAAAAA-_'],
  ['', ''],
  ['#', ''],
  ['#<script>', ''],
  [`#${'a'.repeat(101)}`, ''],
])('in %j the code is %j', (hash, code) => {
  vi.stubGlobal('location', { hash });
  expect(codeInUrl()).toBe(code);
});

it('puts a code in the place of another, or of none, and keeps the query and the entry', () => {
  const replaceState = vi.fn();
  vi.stubGlobal('location', { pathname: '/d', search: '?gclid=1' });
  vi.stubGlobal('history', { state: { depth: 2 }, replaceState });
  putCodeInUrl('new');
  putCodeInUrl('');
  expect(replaceState.mock.calls).toEqual([
    [{ depth: 2 }, '', '/d?gclid=1#new'],
    [{ depth: 2 }, '', '/d?gclid=1'],
  ]);
});

it('follows the codes that come while the page stays, until it ends', () => {
  const page = new EventTarget();
  const location = { hash: '#one' };
  vi.stubGlobal('location', location);
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  const codes: string[] = [];
  const end = watchUrlCode((code) => codes.push(code));
  const move = (hash: string) => {
    location.hash = hash;
    page.dispatchEvent(new Event('hashchange'));
  };
  move('#two');
  end();
  move('#three');
  expect(codes).toEqual(['one', 'two']);
});
