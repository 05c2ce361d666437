import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../../browser.ts';

beforeEach(() => vi.resetModules());
afterEach(() => void vi.unstubAllGlobals());

/** A browser where something was kept, before and after a choice. */
async function kept(before: string, after: string) {
  const local = new Map([['other', 'theirs']]);
  const session = new Map<string, string>();
  const { document } = fakeBrowser({ local, session, main: { storage: 'memory' }, cookie: before });
  const { writeSlice, readSlice } = await import(
    '../../../../islands/runtime/storage/state-storage.ts'
  );
  const { migrateStorage: rehouse } = await import(
    '../../../../islands/runtime/storage/migrate-storage.ts'
  );
  writeSlice('plans', { plan: 'monthly_usd' });
  writeSlice('signup', { email: 'a@b.co', token: 'secret' });
  document.cookie = after;
  rehouse();
  const token = readSlice('signup').token;
  return { keys: [[...local.keys()].sort(), [...session.keys()]], token };
}

it('migrate storage: consent moves memory into storage', async () => {
  expect(await kept('', 'userUuid=u; consent=1.yes')).toEqual({
    keys: [['funnel:1:plans', 'funnel:1:signup', 'other'], ['access_token']],
    token: 'secret',
  });
});

it('migrate storage: refusal moves it out and deletes foreign entries', async () => {
  expect(await kept('consent=1.yes', 'consent=1.no')).toEqual({
    keys: [[], []],
    token: 'secret',
  });
});

it('migrate storage: tolerates blocked storage', async () => {
  fakeBrowser({ storage: 'blocked', cookie: 'consent=1.yes' });
  const { writeSlice, readSlice } = await import(
    '../../../../islands/runtime/storage/state-storage.ts'
  );
  const { migrateStorage: rehouse } = await import(
    '../../../../islands/runtime/storage/migrate-storage.ts'
  );
  writeSlice('plans', { plan: 'monthly_usd' });
  rehouse();
  expect(readSlice('plans')).toMatchObject({ plan: 'monthly_usd' });
});
