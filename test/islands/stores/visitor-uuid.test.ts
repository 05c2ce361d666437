import { beforeEach, expect, it, vi } from 'vitest';
import { writeMemory } from '../../../islands/runtime/storage/state-storage.ts';
import { updateSlice } from '../../../islands/runtime/storage/update-slice.ts';
import { randomId, uuidIn, visitorUuid } from '../../../islands/stores/visitor-uuid.ts';
import { fakeBrowser } from '../browser.ts';

const uuid = '2f1f4a52-9f6c-4f0a-8a51-0c1b7f1f2a33';

beforeEach(() => writeMemory([['funnel:1:signup', '{}']]));
it('visitor id: is read from the cookie', () => {
  expect(uuidIn(`a=1; userUuid=${uuid}; b=2`)).toBe(uuid);
  expect(uuidIn(`xuserUuid=${uuid}`)).toBeUndefined();
  expect(uuidIn('userUuid=short')).toBeUndefined();
});

it('visitor id: from sign-up, then the cookie, then new and kept, without a cookie', () => {
  const { document } = fakeBrowser({ cookie: `userUuid=${uuid}`, local: new Map() });
  updateSlice('signup', { uuid: 'given' });
  expect(visitorUuid()).toBe('given');
  updateSlice('signup', { uuid: '' });
  expect(visitorUuid()).toBe(uuid);
  document.cookie = '';
  const fresh = visitorUuid();
  expect(fresh).toMatch(/^[\da-f]{8}-[\da-f]{4}-4/);
  expect(document.cookie).toBe('');
  expect(visitorUuid()).toBe(fresh);
});

it('visitor id: a browser that blocks storage keeps the new id in memory', () => {
  fakeBrowser({ storage: 'blocked' });
  expect(visitorUuid()).toBe(visitorUuid());
});

it('visitor id: a browser without randomUUID gets ids of version 4', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const ids = new Set(Array.from({ length: 200 }, randomId));
  expect(ids.size).toBe(200);
  for (const id of ids)
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});
