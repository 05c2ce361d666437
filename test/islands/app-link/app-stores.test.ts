import { beforeEach, expect, it, vi } from 'vitest';
import { launchApp } from '../../../islands/app-link/app-stores.tsx';
import { platformOf } from '../../../islands/app-link/platform.ts';
import { fakeBrowser } from '../browser.ts';

const stores = { apple: 'https://apple.example/', google: 'https://google.example/', scheme: 's' };
const link = 'https://x.onelink.me/app?pid=web';

beforeEach(() => vi.resetModules());
/** The OneLink of a visitor with this cookie on a phone. */
async function googleOf(cookie: string, AF_SMART_SCRIPT?: string) {
  fakeBrowser({ local: new Map(), cookie, main: { storage: 'memory' } });
  const { mergeEventsData } = await import('../../../islands/stores/events.ts');
  const { appStoreLinks } = await import('../../../islands/app-link/app-stores.tsx');
  mergeEventsData({ AF_SMART_SCRIPT });
  expect(appStoreLinks(stores, 'desktop')).toEqual(stores);
  return appStoreLinks(stores, 'google');
}

it('store links: use OneLink on a phone with ad consent', async () => {
  expect(await googleOf('consent=3.yes', link)).toEqual({ ...stores, google: link });
});

it('store links: are the plain store addresses otherwise', async () => {
  expect(await googleOf('consent=3.no', link)).toEqual(stores);
  expect(await googleOf('', link)).toEqual(stores);
  expect(await googleOf('consent=3.yes')).toEqual(stores);
});

const storeAddress = 'https://storeAddress.example.com/app';
const page = { location: { href: '' }, document: { visibilityState: 'visible' } };

const events = new EventTarget();
/** Elements of the page, whose events without bubbling reach only listeners that capture. */
const elements = new EventTarget();

beforeEach(() => {
  vi.stubGlobal('addEventListener', (...listener: Parameters<EventTarget['addEventListener']>) => {
    const [, , options] = listener;
    events.addEventListener(...listener);
    if (typeof options === 'object' ? options.capture : options)
      elements.addEventListener(...listener);
  });
  vi.useFakeTimers();
  page.document.visibilityState = 'visible';
  for (const [name, part] of Object.entries(page)) vi.stubGlobal(name, part);
});

it('launch app: opens the app with the code in the fragment, then the store', () => {
  launchApp('family', 'c0de', storeAddress);
  expect(page.location.href).toBe('family://d#c0de');
  vi.advanceTimersByTime(1500);
  expect(page.location.href).toBe(storeAddress);
});

it.each(['visibilitychange', 'pagehide', 'blur'])(
  'launch app: the store stays closed after a %s, also when the visitor is back at once',
  (type) => {
    launchApp('family', 'c0de', storeAddress);
    vi.advanceTimersByTime(900);
    events.dispatchEvent(new Event(type));
    vi.advanceTimersByTime(5000);
    expect(page.location.href).toBe('family://d#c0de');
  },
);

it('launch app: a field that loses the focus does not keep the store closed', () => {
  launchApp('family', 'c0de', storeAddress);
  elements.dispatchEvent(new Event('blur'));
  vi.advanceTimersByTime(1500);
  expect(page.location.href).toBe(storeAddress);
});

it.each([
  ['the app came', 'hidden', storeAddress],
  ['there is no storeAddress', 'visible', ''],
])('launch app: stays on the page when %s', (_, visibility, address) => {
  launchApp('family', 'c0de', address);
  page.document.visibilityState = visibility;
  vi.advanceTimersByTime(5000);
  expect(page.location.href).toBe('family://d#c0de');
});

it.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15', 5, 'apple'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15', 5, 'apple'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15', 0, 'desktop'],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36', 5, 'google'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36', 10, 'desktop'],
  ['', 0, 'desktop'],
])('platform: %s with %s touch points is %s', (agent, fingers, platform) => {
  expect(platformOf(agent, fingers)).toBe(platform);
});
