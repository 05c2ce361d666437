import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../../browser.ts';

const loaded: string[] = [];
vi.mock('../../../../islands/vendors/load-script.ts', () => ({
  loadScript: async (source: string) => void loaded.push(source),
}));

beforeEach(() => {
  vi.resetModules();
  loaded.length = 0;
});
/** The stored link after this result of the script. */
async function storedLink(answer: { clickURL?: string } | null) {
  const { window } = fakeBrowser({ local: new Map(), cookie: 'consent=3.yes' });
  const generateOneLinkURL = vi.fn(() => answer);
  Object.assign(window, { AF_SMART_SCRIPT: { generateOneLinkURL } });
  const { oneLink } = await import('../../../../islands/vendors/ads/appsflyer.ts');
  const { $events } = await import('../../../../islands/stores/events.ts');
  await oneLink('https://x.onelink.me/app', { suffix: '', at: (path) => `/at/${path}` }).load();
  expect(generateOneLinkURL).toHaveBeenCalledWith(
    expect.objectContaining({ oneLinkURL: 'https://x.onelink.me/app' }),
  );
  return $events.get().eventsData.AF_SMART_SCRIPT;
}

it('onelink: stores the attributed link', async () => {
  const clickURL = 'https://x.onelink.me/app?pid=s&af_sub1=G1';
  expect(await storedLink({ clickURL })).toBe(clickURL);
  expect(loaded).toEqual(['/at/onelinksmartscript.appsflyer.com/onelink-smart-script-latest.js']);
});

it('onelink: stores nothing without a link, or with a foreign one', async () => {
  for (const answer of [null, {}, { clickURL: 'https://elsewhere.example/' }]) {
    expect(await storedLink(answer)).toBeUndefined();
  }
});
