import { afterEach, expect, it, vi } from 'vitest';
import { clearOthersStorage } from '../../../../islands/runtime/storage/migrate-storage.ts';
import { fakeBrowser } from '../../browser.ts';

afterEach(() => void vi.unstubAllGlobals());

/** A browser at this host; notes each cookie that is written. */
function browserAt(hostname: string, cookie: string) {
  const written: string[] = [];
  const local = new Map([['_cltk', 'theirs']]);
  const session = new Map([['_clck', 'theirs']]);
  for (const kept of [local, session]) kept.set('__paypal_storage__', '{}');
  const { document } = fakeBrowser({ local, session });
  vi.stubGlobal('location', { hostname });
  Object.defineProperty(document, 'cookie', {
    get: () => cookie,
    set: (one: string) => void written.push(one),
  });
  return { written, local, session };
}

const needed =
  'consent=1.no; userUuid=u; lng=de; carry=c; __Host-carry=c; g_state=g; __stripe_mid=m; __stripe_sid=s';

it('clear storage: deletes foreign cookies on every domain, and foreign entries', () => {
  const { written, local, session } = browserAt('get.a.example', `${needed}; _new_vendor=1; arm=a`);
  clearOthersStorage();
  expect(written).toEqual([
    '_new_vendor=; Max-Age=0; Path=/',
    '_new_vendor=; Max-Age=0; Path=/; Domain=get.a.example',
    '_new_vendor=; Max-Age=0; Path=/; Domain=a.example',
    'arm=; Max-Age=0; Path=/',
    'arm=; Max-Age=0; Path=/; Domain=get.a.example',
    'arm=; Max-Age=0; Path=/; Domain=a.example',
  ]);
  const left = [...local.keys(), ...session.keys()];
  expect(left).toEqual(['__paypal_storage__', '__paypal_storage__']);
});

it.each([needed, ''])('clear storage: keeps essential entries: %j', (cookie) => {
  const { written } = browserAt('localhost', cookie);
  clearOthersStorage();
  expect(written).toEqual([]);
});

it('clear storage: tolerates blocked storage', () => {
  fakeBrowser({ storage: 'blocked' });
  expect(clearOthersStorage).not.toThrow();
});
