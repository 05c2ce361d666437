import { afterEach, expect, it, vi } from 'vitest';
import { codeInAddress, putCode } from '../../../islands/runtime/fragment.ts';

afterEach(() => void vi.unstubAllGlobals());

it.each([
  ['#AAAAAAAAAAAAAAAAAAAA-_', 'AAAAAAAAAAAAAAAAAAAA-_'],
  ['', ''],
  ['#', ''],
  ['#<script>', ''],
  [`#${'a'.repeat(101)}`, ''],
])('in %j the code is %j', (hash, code) => {
  vi.stubGlobal('location', { hash });
  expect(codeInAddress()).toBe(code);
});

it('puts a code in the place of another, or of none, and keeps the query and the entry', () => {
  const replaceState = vi.fn();
  vi.stubGlobal('location', { pathname: '/d', search: '?gclid=1' });
  vi.stubGlobal('history', { state: { depth: 2 }, replaceState });
  putCode('new');
  putCode('');
  expect(replaceState.mock.calls).toEqual([
    [{ depth: 2 }, '', '/d?gclid=1#new'],
    [{ depth: 2 }, '', '/d?gclid=1'],
  ]);
});
