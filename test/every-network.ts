import type { PixelSettings } from '../worker/http/page-kind.ts';

/** By the type, a network without a value is an error here. */
const networks: Required<Omit<PixelSettings, 'vendors' | 'suffix'>> = {
  meta: '1',
  tiktok: '1',
  google: { ads: '1' },
  heatmap: '1',
  appsflyer: '1',
  onelink: '1',
};

export const networkNames = Object.keys(networks).sort();

export const everyNetwork: PixelSettings = { vendors: '', suffix: '', ...networks };
