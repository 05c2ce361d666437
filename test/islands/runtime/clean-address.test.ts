import { afterEach, expect, it, vi } from 'vitest';
import { cleanAddress } from '../../../islands/runtime/clean-address.ts';

afterEach(() => void vi.unstubAllGlobals());

it.each([
  ['?gclid=G1&email=ada%40example.com', '?gclid=G1&'],
  ['?email=ada@example.com&gclid=G1', '?gclid=G1'],
  ['?utm_content=ada%2540example.com&utm_source=mail', '?utm_source=mail'],
  ['?phone=015123456789&gclid=G1', '?gclid=G1'],
  ['?utm_term=%2B4915123456789&gclid=G1', '?gclid=G1'],
  ['?utm_campaign=120210987654321', '?utm_campaign=120210987654321'],
])('of %s it leaves %s, and the code and the entry as they were', (search, left) => {
  const replaceState = vi.fn();
  vi.stubGlobal('location', { pathname: '/one_pager', search, hash: '#code' });
  vi.stubGlobal('history', { state: { depth: 3 }, replaceState });
  cleanAddress();
  expect(replaceState.mock.calls.at(-1)).toEqual(
    left === search ? undefined : [{ depth: 3 }, '', `/one_pager${left}#code`],
  );
});
