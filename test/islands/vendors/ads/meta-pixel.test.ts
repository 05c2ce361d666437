import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../../browser.ts';

beforeEach(() => vi.resetModules());
/** The cookies set for a visitor with these cookies who came by this click. */
async function setBy(cookie: string, click?: string, daysAgo?: number): Promise<string[]> {
  const { document } = fakeBrowser({ local: new Map(), cookie });
  const set: string[] = [];
  Object.defineProperty(document, 'cookie', { get: () => cookie, set: (one) => set.push(one) });
  vi.spyOn(Date, 'now').mockReturnValue(1_700_000_000_000);
  const { mergeAnalyticsData } = await import('../../../../islands/stores/events.ts');
  const { setMetaCookies } = await import('../../../../islands/vendors/ads/meta-pixel.ts');
  if (click) mergeAnalyticsData({ fb_click_id: click });
  if (daysAgo !== undefined) {
    mergeAnalyticsData({ clicked_at: { fb_click_id: 1_700_000_000_000 - daysAgo * 86_400_000 } });
  }
  setMetaCookies();
  return set;
}

const yes = 'consent=3.yes';

it('meta cookies: are set like those of the Meta script, for 90 days', async () => {
  expect(await setBy(yes, 'IwAR_1-x')).toEqual([
    '_fbc=fb.1.1700000000000.IwAR_1-x; Path=/; Max-Age=7776000; SameSite=Lax',
    expect.stringMatching(/^_fbp=fb\.1\.1700000000000\.\d{1,10}; Path=\/; Max-Age=7776000; /),
  ]);
});

it('meta cookies: existing ones stay, except for an older click', async () => {
  const had = `${yes}; _fbp=fb.1.1.2; _fbc=fb.1.1.old`;
  expect(await setBy(had)).toEqual([]);
  expect(await setBy(had, 'old')).toEqual([]);
  expect(await setBy(had, 'new')).toEqual([expect.stringMatching(/^_fbc=fb\.1\.\d+\.new;/)]);
});

it('meta cookies: a click keeps its own time, and the cookie lives as long as the click', async () => {
  const fbp = '_fbp=fb.1.1.2';
  expect(await setBy(`${yes}; ${fbp}`, 'c', 80)).toEqual([
    '_fbc=fb.1.1693088000000.c; Path=/; Max-Age=864000; SameSite=Lax',
  ]);
  expect(await setBy(`${yes}; ${fbp}`, 'c', 91)).toEqual([]);
  expect(await setBy(`${yes}; ${fbp}`, 'c', -1)).toEqual([
    '_fbc=fb.1.1700000000000.c; Path=/; Max-Age=7776000; SameSite=Lax',
  ]);
});

it('meta cookies: the fifth part of the parameter builder stays, as does a later click', async () => {
  const had = `${yes}; _fbp=fb.1.1.2; _fbc=`;
  expect(await setBy(`${had}fb.1.1693088000000.c.AgEBAQIA`, 'c', 80)).toEqual([]);
  expect(await setBy(`${had}fb.2.1693088000000.c.Bg`, 'c', 80)).toEqual([]);
  expect(await setBy(`${had}fb.1.1699999999999.later.Bg`, 'c', 80)).toEqual([]);
  expect(await setBy(`${had}fb.1.1600000000000.older.Bg`, 'c', 80)).toEqual([
    expect.stringMatching(/^_fbc=fb\.1\.1693088000000\.c;/),
  ]);
});

it('meta cookies: the script finds the click’s cookie, so that it does not date the click today', async () => {
  const { document } = fakeBrowser({ local: new Map(), cookie: yes });
  const set: string[] = [];
  Object.defineProperty(document, 'cookie', { get: () => yes, set: (one) => set.push(one) });
  const loaded: string[][] = [];
  vi.doMock('../../../../islands/vendors/load-script.ts', () => ({
    loadScript: async () => void loaded.push(set.map((one) => one.split('=')[0] ?? '')),
  }));
  vi.stubGlobal('window', globalThis);
  const { mergeAnalyticsData } = await import('../../../../islands/stores/events.ts');
  const { metaPixel } = await import('../../../../islands/vendors/ads/meta-pixel.ts');
  mergeAnalyticsData({ fb_click_id: 'c' });
  await metaPixel('1', { at: (path) => path, suffix: '' }).load();
  expect(loaded).toEqual([['_fbc', '_fbp']]);
});

it('meta cookies: are not set without ad consent, nor for an invalid click id', async () => {
  expect(await setBy('consent=3.no', 'c')).toEqual([]);
  expect(await setBy(`${yes}; _fbp=fb.1.1.2`, 'x; Domain=evil.test')).toEqual([]);
});
