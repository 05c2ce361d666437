import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { pixelSettings } from '../../../worker/analytics/ad-networks/index.ts';

const set = (vars: object) => pixelSettings({ ...env, ...vars });

test('pixel settings: null unless a network is configured', () => {
  expect(set({})).toBeNull();
  expect(set({ META_PIXEL_ID: '1' })).toEqual({ vendors: '', suffix: '_test', meta: '1' });
});

test('pixel settings: the ads tag counts conversions only outside production', () => {
  const vars = { GOOGLE_ADS_ID: 'AW-1', GOOGLE_ADS_LABEL: 'l', META_TOKEN: 'secret' };
  expect(set(vars)?.google).toEqual({ ads: 'AW-1', label: 'l' });
  const production = set({ ...vars, ENVIRONMENT: 'production' });
  expect(production).toEqual({ vendors: '', suffix: '', google: { ads: 'AW-1' } });
});
