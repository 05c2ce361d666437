import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../browser.ts';

const stores = { apple: 'https://apple.example/', google: 'https://google.example/', scheme: 's' };
const link = 'https://x.onelink.me/app?pid=web';

beforeEach(() => vi.resetModules());
afterEach(() => void vi.unstubAllGlobals());

/** What a visitor with this cookie gets on a phone. */
async function googleOf(cookie: string, AF_SMART_SCRIPT?: string, platform = 'google' as const) {
  fakeBrowser({ local: new Map(), cookie, main: { storage: 'memory' } });
  const { mergeEventsData } = await import('../../../islands/stores/events.ts');
  const { appStoreLinks: wayToApp } = await import('../../../islands/app-link/app-store-links.ts');
  mergeEventsData({ AF_SMART_SCRIPT });
  expect(wayToApp(stores, 'desktop')).toEqual(stores);
  return wayToApp(stores, platform);
}

it('store links: use OneLink on a phone with ad consent', async () => {
  expect(await googleOf('consent=1.yes', link)).toEqual({ ...stores, google: link });
});

it('store links: are the plain store addresses otherwise', async () => {
  expect(await googleOf('consent=1.no', link)).toEqual(stores);
  expect(await googleOf('', link)).toEqual(stores);
  expect(await googleOf('consent=1.yes')).toEqual(stores);
});
