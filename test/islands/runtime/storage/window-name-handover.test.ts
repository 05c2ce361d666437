import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../../browser.ts';

beforeEach(() => vi.resetModules());
afterEach(() => vi.unstubAllGlobals());

async function documentOf(name: string) {
  vi.resetModules();
  const { window } = fakeBrowser({ storage: 'blocked' });
  window.name = name;
  const shelf = await import('../../../../islands/runtime/storage/state-storage.ts');
  const handover = await import('../../../../islands/runtime/storage/window-name-handover.ts');
  return { window, ...shelf, ...handover };
}

it('carries depth and memory into the next document, once', async () => {
  const first = await documentOf('');
  first.writeSlice('signup', { token: 'secret' });
  first.handOver(3);
  const second = await documentOf(first.window.name);
  expect(second.takeOver()).toBe(3);
  expect(second.window.name).toBe('');
  expect(second.readSlice('signup')).toMatchObject({ token: 'secret' });
  expect(second.takeOver()).toBeNull();
});

it.each(['', 'theirs', '{"depth":', '{"depth":1,"kept":7}'])(
  'takes nothing from %j',
  async (name) => {
    const next = await documentOf(name);
    expect(next.takeOver()).toBeNull();
  },
);

it("leaves another's name of the tab alone", async () => {
  const next = await documentOf('theirs');
  next.takeOver();
  expect(next.window.name).toBe('theirs');
});
