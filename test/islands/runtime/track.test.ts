import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../browser.ts';

beforeEach(() => {
  vi.resetModules();
  fakeBrowser({ main: { screen: 'signup' } });
});
afterEach(() => void vi.unstubAllGlobals());

it('loses nothing that is told before the queue is there, and always names the screen', async () => {
  const { track, deliverTo } = await import('../../../islands/runtime/track.ts');
  const told: unknown[] = [];
  track('lead', { method: 'email' }, 'u1');
  deliverTo(({ name, properties, once }) => told.push([name, properties, once]));
  track('button__continue');
  expect(told).toEqual([
    ['lead', { method: 'email', screen_name: 'signup' }, 'u1'],
    ['button__continue', { screen_name: 'signup' }, undefined],
  ]);
});
