import { afterEach, expect, test, vi } from 'vitest';
import { NetworkAmbiguousError, postJson } from '../../../../worker/analytics/ad-networks/types.ts';

afterEach(() => void vi.unstubAllGlobals());

test('a network that can not be reached is unclear, and quotes nothing', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('could not reach https://x.test/?secret');
  });
  const error = await postJson('https://x.test/', {}).catch((thrown) => thrown);
  expect([error instanceof NetworkAmbiguousError, error.message]).toEqual([true, 'TypeError']);
});
