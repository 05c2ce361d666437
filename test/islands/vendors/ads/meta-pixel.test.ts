import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../../browser.ts';

beforeEach(() => vi.resetModules());
/** The cookies set for a visitor with these cookies who came by this click. */
async function setBy(cookie: string, click?: string): Promise<string[]> {
  const { document } = fakeBrowser({ local: new Map(), cookie });
  const set: string[] = [];
  Object.defineProperty(document, 'cookie', { get: () => cookie, set: (one) => set.push(one) });
  vi.spyOn(Date, 'now').mockReturnValue(1_700_000_000_000);
  const { mergeAnalyticsData } = await import('../../../../islands/stores/events.ts');
  const { setMetaCookies } = await import('../../../../islands/vendors/ads/meta-pixel.ts');
  if (click) mergeAnalyticsData({ fb_click_id: click });
  setMetaCookies();
  return set;
}

const yes = 'consent=2.yes';

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

it('meta cookies: are not set without ad consent, nor for an invalid click id', async () => {
  expect(await setBy('consent=2.no', 'c')).toEqual([]);
  expect(await setBy(`${yes}; _fbp=fb.1.1.2`, 'x; Domain=evil.test')).toEqual([]);
});
