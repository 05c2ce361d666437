import { env } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import { ask, post, refusalOf } from '../ask.ts';
import { hurry } from '../faults/faulty.ts';

const uuid = '5d6c3c5e-8a0e-4b6f-9d5f-0a1b2c3d4e5f';
const german = { 'cf-ipcountry': 'DE' };
const cookies = (response: Response) => response.headers.getSetCookie().sort();

const choose = (choice: unknown, cookie = `userUuid=${uuid}`, more = {}) =>
  post('/consent', { choice }, { ...german, cookie }, more);
const kept = async () => {
  const { results } = await env.DB.prepare('SELECT visitor, choice, country FROM consents').all();
  return results;
};

test('a yes makes the visitor’s id last, and is kept as evidence', async () => {
  const response = await choose('yes');
  expect([response.status, await response.json()]).toEqual([200, { data: { choice: 'yes' } }]);
  expect(cookies(response)).toEqual([
    'consent=1.yes; Max-Age=15552000; Path=/; SameSite=Lax',
    `userUuid=${uuid}; Max-Age=31536000; Path=/; SameSite=Lax`,
  ]);
  expect(await kept()).toEqual([{ visitor: uuid, choice: 'yes', country: 'DE' }]);
});

test('a no takes away what a yes allowed, wherever it was set', async () => {
  const had = ['arm=e1%3Aa', '_fbc=fb.1.1.a', '_ga_FAKE=1', 'afUserId=a', 'lng=de', 'x_fbc=1'];
  const cookie = [`userUuid=${uuid}`, ...had].join('; ');
  const headers = { ...german, cookie, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: '{"choice":"no"}' };
  const response = await ask('http://funnel.test/api/v1/consent', init);
  const gone = cookies(response).filter((cookie) => cookie.includes('Max-Age=0'));
  expect(cookies(response).filter((cookie) => !gone.includes(cookie))).toEqual([
    'consent=1.no; Max-Age=15552000; Path=/; SameSite=Lax',
    `userUuid=${uuid}; Path=/; SameSite=Lax`,
  ]);
  expect(gone).toEqual([
    '_fbc=; Max-Age=0; Domain=funnel.test; Path=/',
    '_fbc=; Max-Age=0; Path=/',
    '_ga_FAKE=; Max-Age=0; Domain=funnel.test; Path=/',
    '_ga_FAKE=; Max-Age=0; Path=/',
    'afUserId=; Max-Age=0; Domain=funnel.test; Path=/',
    'afUserId=; Max-Age=0; Path=/',
    'arm=; Max-Age=0; Path=/',
  ]);
  expect((await kept()).at(-1)).toEqual({ visitor: null, choice: 'no', country: 'DE' });
});

test.each(['maybe', '', null, 1, { yes: true }])('%j is no choice', async (choice) => {
  expect((await refusalOf(await choose(choice))).slice(0, 2)).toEqual([400, 'bad_body']);
});

test('a database that is down does not stand between the visitor and the choice; the log tells', async () => {
  hurry(100);
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const DB = {
    prepare: () => {
      throw new RangeError('down');
    },
  } as unknown as typeof env.DB;
  expect((await choose('yes', `userUuid=${uuid}`, { DB })).status).toBe(200);
  const told = { event: 'consent_unrecorded', key: '1.yes', country: 'DE' };
  const lines = () => log.mock.calls.map(([line]) => JSON.parse(line));
  await expect.poll(lines).toContainEqual(expect.objectContaining(told));
  log.mockRestore();
  vi.unstubAllGlobals();
});

test('after a yes, pages keep the arm and the id; after a no, neither', async () => {
  const config = {
    experiment: 'asked',
    variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
  };
  await env.FUNNEL.put('config.json', JSON.stringify(config));
  await env.FUNNEL.put('flows.json', JSON.stringify({ flows: {} }));
  const browser = { ...german, 'accept-language': 'en', 'user-agent': 'Mozilla/5.0' };
  const warm = { CONFIG_SECONDS: '0' };
  const signed = expect.stringMatching(
    /^arm=asked%3AfullPrice\.[\w-]{43}; Max-Age=31536000; Path=\/; SameSite=Lax$/,
  );
  const setBy = async (cookie: string) =>
    cookies(await ask('/one_pager', { headers: { ...browser, cookie } }, warm));
  await expect
    .poll(() => setBy(`userUuid=${uuid}; consent=1.yes`), { timeout: 20_000 })
    .toEqual([signed]);
  expect(await setBy(`userUuid=${uuid}; consent=1.no`)).toEqual([]);
  // Made under older words, a yes is none, and is forgotten so that the page asks anew.
  expect(await setBy(`userUuid=${uuid}; consent=0.yes`)).toEqual([
    'consent=; Max-Age=0; Path=/',
    `userUuid=${uuid}; Path=/; SameSite=Lax`,
  ]);
  expect(cookies(await choose('yes', undefined, warm))).toEqual(expect.arrayContaining([signed]));
});
