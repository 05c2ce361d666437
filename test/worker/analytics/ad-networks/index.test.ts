import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { configuredNetworks } from '../../../../worker/analytics/ad-networks/index.ts';
import { networkVars } from '../conversion-fixture.ts';

const names = (vars: object) => configuredNetworks({ ...env, ...vars }).map(({ name }) => name);

test('ad networks: a network needs both its id and its secret', () => {
  expect(names({})).toEqual([]);
  expect(names(networkVars)).toEqual(['meta', 'tiktok', 'google']);
  expect(names({ ...networkVars, META_TOKEN: undefined })).toEqual(['tiktok', 'google']);
  expect(names({ META_PIXEL_ID: '1', GOOGLE_ADS_ID: 'AW-1' })).toEqual([]);
});
