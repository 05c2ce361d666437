import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../../browser.ts';

beforeEach(() => {
  vi.resetModules();
  fakeBrowser({ main: { screen: 'signup' } });
});
afterEach(() => void vi.unstubAllGlobals());

it('track: buffers events before the queue exists and names the screen', async () => {
  const { track, deliverTo } = await import('../../../../islands/runtime/tracking/track.ts');
  const told: unknown[] = [];
  track('lead', { method: 'email' }, 'u1');
  deliverTo(({ name, properties, once }) => told.push([name, properties, once]));
  track('button__continue');
  track('web_vitals', { lcp: 1, screen_name: 'one_pager' });
  expect(told).toEqual([
    ['lead', { method: 'email', screen_name: 'signup' }, 'u1'],
    ['button__continue', { screen_name: 'signup' }, undefined],
    ['web_vitals', { lcp: 1, screen_name: 'one_pager' }, undefined],
  ]);
});

it('track: never throws', async () => {
  expect.assertions(1);
  const { track, deliverTo } = await import('../../../../islands/runtime/tracking/track.ts');
  track('load');
  deliverTo(() => {
    throw new TypeError('broken');
  });
  expect(() => track('lead')).not.toThrow();
});

it('track: names a page without a screen id by its path', async () => {
  fakeBrowser();
  vi.stubGlobal('location', { pathname: '/legal/terms' });
  const { screenName } = await import('../../../../islands/runtime/tracking/track.ts');
  expect(screenName()).toBe('legal/terms');
});
