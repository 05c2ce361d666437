import { afterEach, expect, it, vi } from 'vitest';
import { rememberReturnPage, takeReturnPage } from '../../../islands/account/return-page.ts';

const start = 1_700_000_000_000;

afterEach(() => void vi.unstubAllGlobals());

it('return page: is returned once, until the link expires', () => {
  vi.stubGlobal('location', { pathname: '/upsell_an_private' });
  expect(takeReturnPage(start)).toBeNull();
  rememberReturnPage(start);
  expect(takeReturnPage(start + 14 * 60_000)).toBe('/upsell_an_private');
  expect(takeReturnPage(start)).toBeNull();
  rememberReturnPage(start);
  expect(takeReturnPage(start + 15 * 60_000)).toBeNull();
});
