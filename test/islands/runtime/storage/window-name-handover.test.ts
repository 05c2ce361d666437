import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../../browser.ts';

beforeEach(() => vi.resetModules());
async function documentOf(name: string) {
  vi.resetModules();
  const { window } = fakeBrowser({ storage: 'blocked' });
  window.name = name;
  const shelf = await import('../../../../islands/runtime/storage/state-storage.ts');
  const handover = await import('../../../../islands/runtime/storage/window-name-handover.ts');
  return { window, ...shelf, ...handover };
}

it('handover: passes depth and memory to the next document once', async () => {
  const first = await documentOf('');
  first.writeSlice('signup', { token: 'secret' });
  first.writeHandover(3);
  const second = await documentOf(first.window.name);
  expect(second.readHandover()).toBe(3);
  expect(second.window.name).toBe('');
  expect(second.readSlice('signup')).toMatchObject({ token: 'secret' });
  expect(second.readHandover()).toBeNull();
});

it.each(['', 'theirs', '{"depth":', '{"depth":1,"kept":7}'])(
  'handover: ignores %j',
  async (name) => {
    const next = await documentOf(name);
    expect(next.readHandover()).toBeNull();
  },
);

it('handover: leaves a foreign tab name', async () => {
  const next = await documentOf('theirs');
  next.readHandover();
  expect(next.window.name).toBe('theirs');
});
