import { env } from 'cloudflare:test';
import type { D1PreparedStatement } from '@cloudflare/workers-types';
import { expect, test, vi } from 'vitest';
import type { VisitorId } from '../../../worker/platform/types.ts';
import { recordConsent } from '../../../worker/visitor/consent-api.ts';
import { withdrawnChoices } from '../../../worker/visitor/consent-table.ts';
import { browserCookies } from '../accounts/browser.ts';
import { shortenTimers } from '../faults/faulty-binding.ts';
import { post, request, statusAndCode } from '../request.ts';

const own = browserCookies();
const { uuid } = own;
const key = /^[^;]+/.exec(own.cookie)?.[0];
const german = { 'cf-ipcountry': 'DE' };
const cookies = (response: Response) => response.headers.getSetCookie().sort();

const choose = (choice: unknown, cookie = own.cookie, more = {}) =>
  post('/consent', { choice }, { ...german, cookie }, more);
const kept = async () => {
  const { results } = await env.DB.prepare(
    'SELECT visitor_id AS visitor, choice, country FROM consents',
  ).all();
  return results;
};

test('consent API: giving consent makes the visitor id persistent and is stored', async () => {
  const response = await choose('yes');
  expect([response.status, await response.json()]).toEqual([200, { data: { choice: 'yes' } }]);
  expect(cookies(response)).toEqual([
    'consent=3.yes; Max-Age=15552000; Path=/; SameSite=Lax',
    `userUuid=${uuid}; Max-Age=31536000; Path=/; SameSite=Lax`,
    `${key}; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax`,
  ]);
  expect(await kept()).toEqual([{ visitor: uuid, choice: 'yes', country: 'DE' }]);
});

test('consent API: refusing consent deletes tracking cookies of every domain', async () => {
  const had = ['arm=e1%3Aa', '_fbc=fb.1.1.a', '_ga_FAKE=1', 'afUserId=a', 'lng=de', 'x_fbc=1'];
  const cookie = [own.cookie, ...had].join('; ');
  const headers = { ...german, cookie, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: '{"choice":"no"}' };
  const response = await request('http://funnel.test/api/v1/consent', init);
  const gone = cookies(response).filter((cookie) => cookie.includes('Max-Age=0'));
  expect(cookies(response).filter((cookie) => !gone.includes(cookie))).toEqual([
    'consent=3.no; Max-Age=15552000; Path=/; SameSite=Lax',
    `userUuid=${uuid}; Path=/; SameSite=Lax`,
    `${key}; Path=/; HttpOnly; SameSite=Lax`,
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

test('consent API: a caller who only knows a visitor’s id withdraws nothing and gets an own id', async () => {
  const victim = browserCookies();
  await choose('yes', victim.cookie);
  const set = cookies(await choose('no', `userUuid=${victim.uuid}`)).join();
  expect(set).toMatch(/userUuid=[\da-f-]{36}; .*visitorKey=/);
  expect(set).not.toContain(victim.uuid);
  expect(await withdrawnChoices(env.DB, [victim.uuid as VisitorId])).toEqual(new Set());
  await choose('no', victim.cookie);
  await choose('yes', `userUuid=${victim.uuid}`);
  expect(await withdrawnChoices(env.DB, [victim.uuid as VisitorId])).toEqual(
    new Set([victim.uuid]),
  );
});

test.each(['maybe', '', null, 1, { yes: true }])('consent API: %j is refused', async (choice) => {
  expect(await statusAndCode(choose(choice))).toEqual([400, 'malformed_body']);
});

test('consent API: the choice works while D1 is down, and the missing record is logged', async () => {
  shortenTimers(100);
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const DB = {
    prepare: () => {
      throw new RangeError('down');
    },
  } as unknown as typeof env.DB;
  expect((await choose('yes', own.cookie, { DB })).status).toBe(200);
  const logLine = { event: 'consent_record_failed', choice: '3.yes', country: 'DE' };
  const lines = () => log.mock.calls.map(([line]) => JSON.parse(line));
  await expect.poll(lines).toContainEqual(expect.objectContaining(logLine));
  log.mockRestore();
  vi.unstubAllGlobals();
});

test('consent API: pages set the arm and the id after consent was given, and neither after it was refused', async () => {
  const config = {
    experiment: 'asked',
    variants: [{ key: 'fullPrice', weight: 100, flow: 'default' }],
  };
  await env.FUNNEL.put('config.json', JSON.stringify(config));
  await env.FUNNEL.put('flows.json', JSON.stringify({ flows: {} }));
  const browser = { ...german, 'accept-language': 'en', 'user-agent': 'Mozilla/5.0' };
  const warm = { CONFIG_CACHE_SECONDS: '0' };
  const signed = expect.stringMatching(
    /^arm=asked%3AfullPrice\.[\w-]{43}; Max-Age=31536000; Path=\/; SameSite=Lax$/,
  );
  const setBy = async (cookie: string) =>
    cookies(await request('/one_pager', { headers: { ...browser, cookie } }, warm));
  await expect
    .poll(() => setBy(`${own.cookie}; consent=3.yes`), { timeout: 20_000 })
    .toEqual([signed, 'landing=one_pager; Max-Age=31536000; Path=/; SameSite=Lax']);
  expect(await setBy(`${own.cookie}; consent=3.no`)).toEqual([]);
  // Consent to an older text is invalid, and is deleted so that the page asks again.
  expect(await setBy(`${own.cookie}; consent=0.yes`)).toEqual([
    'consent=; Max-Age=0; Path=/',
    `userUuid=${uuid}; Path=/; SameSite=Lax`,
    `${key}; Path=/; HttpOnly; SameSite=Lax`,
  ]);
  expect(cookies(await choose('yes', undefined, warm))).toEqual(expect.arrayContaining([signed]));
});

/** D1 that fails this many times, or executes and loses the response. */
function failingDb(times: number, lost = false) {
  let left = times;
  const batch = async (statements: D1PreparedStatement[]) => {
    left -= 1;
    if (left < 0) return env.DB.batch(statements);
    if (lost) await env.DB.batch(statements);
    throw new RangeError('down');
  };
  return { prepare: (sql: string) => env.DB.prepare(sql), batch } as typeof env.DB;
}

const refusal = () => ({
  visitor: crypto.randomUUID() as VisitorId,
  choice: 'no' as const,
  country: 'DE',
  language: 'de',
});
const rowsAt = (at: number) =>
  env.DB.prepare('SELECT count(*) AS rows FROM consents WHERE chosen_at = ?')
    .bind(at)
    .first('rows');

test.each([
  ['is down', false, 11],
  ['loses its answers', true, 12],
])('consent record: a refusal is stored once while D1 %s for a while', async (_, lost, at) => {
  const consent = refusal();
  const waited: number[] = [];
  const wait = async (ms: number) => void waited.push(ms);
  await recordConsent(failingDb(3, lost), consent, at, wait);
  expect(waited).toEqual([500, 2000, 6000]);
  expect(await withdrawnChoices(env.DB, [consent.visitor as VisitorId])).toEqual(
    new Set([consent.visitor]),
  );
  expect(await rowsAt(at)).toBe(1);
});

test('consent record: throws while D1 stays down', async () => {
  await expect(recordConsent(failingDb(4), refusal(), 13, async () => {})).rejects.toThrow('down');
  expect(await rowsAt(13)).toBe(0);
});

test.each([
  ['an IPv4 address', () => '198.51.100.9', 'ASC', 99, 3, 1],
  ['a /64', (at: number) => `2001:db8:31:1::${at}`, 'ASC', 99, 3, 1],
  ['a /48', (at: number) => `2001:db8:32:${at}::1`, 'DESC', 990, 12, 10],
])(
  'consent record: new visitors of %s write a limited number of rows',
  async (_, ip, order, filled, more, written) => {
    const from = (at: number) => ({ ...german, 'cf-connecting-ip': ip(at) });
    const chosen = (at: number) => post('/consent', { choice: 'yes' }, from(at));
    await env.DB.prepare('DELETE FROM rate_counts').run();
    await chosen(1);
    // The narrowest network was counted first.
    await env.DB.prepare(
      `INSERT INTO rate_counts (name, used_at) SELECT network, used_at FROM json_each(?),
     (SELECT name AS network, used_at FROM rate_counts WHERE name LIKE 'consent %' ORDER BY rowid ${order} LIMIT 1)`,
    )
      .bind(JSON.stringify(Array(filled - 1).fill(0)))
      .run();
    const before = (await kept()).length;
    for (let at = 2; at < 2 + more; at += 1) expect((await chosen(at)).status).toBe(200);
    expect((await kept()).length - before).toBe(written);
  },
);
