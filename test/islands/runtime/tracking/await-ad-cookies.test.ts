import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../../browser.ts';

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
});
async function open(cookie = 'consent=2.yes') {
  const { document } = fakeBrowser({ local: new Map(), cookie });
  const { awaitAdCookies: awaitCookies } = await import('../../../../islands/vendors/ads/index.ts');
  const { attribution } = await import('../../../../islands/runtime/tracking/attribution.ts');
  return { document, awaitCookies, attribution };
}

it('ad cookies: are polled every 500 ms and stored', async () => {
  const { document, awaitCookies, attribution } = await open();
  awaitCookies(['ttp', 'appsflyer_id']);
  document.cookie += '; _ttp=t1';
  vi.advanceTimersByTime(499);
  document.cookie += '; afUserId=a1';
  vi.advanceTimersByTime(1);
  expect(vi.getTimerCount()).toBe(0);
  expect(attribution('')).toEqual({ appsflyer_id: 'a1', user_data: { ttp: 't1' } });
});

it('ad cookies: polling ends after ten seconds, and at once without ad consent', async () => {
  const { document, awaitCookies, attribution } = await open();
  awaitCookies(['ttp']);
  vi.advanceTimersByTime(9499);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(vi.getTimerCount()).toBe(0);
  awaitCookies(['ttp']);
  document.cookie = 'consent=2.no; _ttp=t1';
  vi.advanceTimersByTime(500);
  expect(vi.getTimerCount()).toBe(0);
  expect(attribution('').user_data).toEqual({});
});
