import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../../browser.ts';

beforeEach(() => vi.resetModules());
async function documentOf(name: string) {
  vi.resetModules();
  const { window } = fakeBrowser({ storage: 'blocked' });
  window.name = name;
  const storage = await import('../../../../islands/runtime/storage/state-storage.ts');
  const handover = await import('../../../../islands/runtime/storage/handover.ts');
  return { window, ...storage, ...handover };
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

it('handover: a prerendered document, which has its own window name, reads the handover from the session', async () => {
  const session = new Map<string, string>();
  const documentWithStorage = async () => {
    vi.resetModules();
    const { window } = fakeBrowser({ session });
    return { window, ...(await import('../../../../islands/runtime/storage/handover.ts')) };
  };
  (await documentWithStorage()).writeHandover(3);
  const prerendered = await documentWithStorage();
  expect(prerendered.window.name).toBe('');
  expect(prerendered.readHandover()).toBe(3);
  expect(prerendered.readHandover()).toBeNull();
  expect(session.size).toBe(0);
});

it('handover: the window’s name wins over older data that was stored for a bank’s page', async () => {
  vi.resetModules();
  const session = new Map([['funnel:1:handover', '{"depth":null,"kept":[]}']]);
  const { window } = fakeBrowser({ session, main: { storage: 'memory' } });
  window.name = '{"depth":2,"kept":[["funnel:1:checkout","{}"]]}';
  const { readHandover } = await import('../../../../islands/runtime/storage/handover.ts');
  expect(readHandover()).toBe(2);
  expect(session.size).toBe(0);
});

it.each([
  ['before consent', { main: { storage: 'memory' } }],
  ['in a full storage', { storage: 'full' }],
] as const)('handover: %s, the handover is not part of the stored state', async (_case, fake) => {
  vi.resetModules();
  fakeBrowser({ session: new Map(), ...fake });
  const { writeHandover } = await import('../../../../islands/runtime/storage/handover.ts');
  const { memoryEntries } = await import('../../../../islands/runtime/storage/state-storage.ts');
  writeHandover(1);
  writeHandover(2);
  expect(memoryEntries()).toEqual([]);
});

it('handover: before consent nothing is written to the session', async () => {
  vi.resetModules();
  const session = new Map<string, string>();
  const { window } = fakeBrowser({ session, main: { storage: 'memory' } });
  const { writeHandover } = await import('../../../../islands/runtime/storage/handover.ts');
  writeHandover(3);
  expect(session.size).toBe(0);
  expect(JSON.parse(window.name).depth).toBe(3);
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
