import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../../browser.ts';

beforeEach(() => {
  vi.resetModules();
  fakeBrowser({ main: { screen: 'signup' } });
});
it('track: buffers events before the queue exists and names the screen', async () => {
  const { track, deliverTo } = await import('../../../../islands/runtime/tracking/track.ts');
  const events: unknown[] = [];
  track('lead', { method: 'email' }, 'u1');
  deliverTo(({ name, properties, once }) => events.push([name, properties, once]));
  track('button__continue');
  track('web_vitals', { lcp: 1, screen_name: 'one_pager' });
  expect(events).toEqual([
    ['lead', { method: 'email', screen_name: 'signup' }, 'u1'],
    ['button__continue', { screen_name: 'signup' }, undefined],
    ['web_vitals', { lcp: 1, screen_name: 'one_pager' }, undefined],
  ]);
});

it('track: events from before the queue exists are delivered in the order of their times', async () => {
  const { track, trackPast, deliverTo } = await import(
    '../../../../islands/runtime/tracking/track.ts'
  );
  const events: unknown[] = [];
  track('lead', { method: 'email' });
  trackPast({ page: { screen: 'one_pager' }, at: 5 }, () => track('load'));
  deliverTo(({ name, properties }) => events.push([name, properties.screen_name]));
  expect(events).toEqual([
    ['load', 'one_pager'],
    ['lead', 'signup'],
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

/** Two documents of one visit, each with its own modules. */
async function nextDocument() {
  vi.resetModules();
  return import('../../../../islands/runtime/tracking/track.ts');
}

it('track: events that no queue took are delivered by the next document, first and once', async () => {
  const browser = { main: { screen: 'signup' }, session: new Map<string, string>() };
  fakeBrowser(browser);
  const first = await nextDocument();
  first.track('load');
  // The page is hidden twice.
  first.storeUndelivered();
  first.storeUndelivered();
  fakeBrowser(browser);
  const second = await nextDocument();
  second.track('button__continue');
  second.storeUndelivered();
  fakeBrowser(browser);
  const third = await nextDocument();
  third.track('lead');
  const names: string[] = [];
  third.deliverTo(({ name }) => names.push(name));
  expect(names).toEqual(['load', 'button__continue', 'lead']);
  third.storeUndelivered();
  fakeBrowser(browser);
  const fourth = await nextDocument();
  fourth.deliverTo(({ name }) => names.push(name));
  expect(names).toHaveLength(3);
});

it('track: a private page stores and sends nothing', async () => {
  const session = new Map<string, string>();
  fakeBrowser({ main: { kind: 'private' }, session });
  const { track, storeUndelivered } = await nextDocument();
  track('load');
  storeUndelivered();
  expect([...session]).toEqual([]);
});
