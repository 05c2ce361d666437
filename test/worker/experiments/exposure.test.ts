import { env } from 'cloudflare:test';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Env } from '../../../worker/env.ts';
import { isBot, isPrefetch } from '../../../worker/experiments/exposure.ts';
import {
  countExposures,
  type Exposure,
  parseExposures,
} from '../../../worker/experiments/exposure-table.ts';
import { builtInDocuments } from '../../../worker/experiments/rules/config-documents.ts';
import { ask, post } from '../request.ts';

const hour = 3_600_000;
const day = 24 * hour;
const now = 20_000 * day;
const exposure = (change: Partial<Exposure> = {}): Exposure => ({
  id: crypto.randomUUID(),
  experiment: 'prices',
  arm: 'fullPrice',
  at: now,
  ...change,
});

async function countsOf(experiment: string) {
  const { results } = await env.DB.prepare(
    'SELECT arm, hour, visitors FROM exposure_counts WHERE experiment = ? ORDER BY arm, hour',
  )
    .bind(experiment)
    .all();
  return results;
}

test('exposure table: counts by experiment, arm and hour', async () => {
  const experiment = 'hours';
  const seen = [
    exposure({ experiment }),
    exposure({ experiment, at: now + hour - 1 }),
    exposure({ experiment, at: now + hour }),
    exposure({ experiment, arm: 'intro/7d' }),
    exposure({ experiment: 'another' }),
  ];
  await countExposures(env.DB, seen, now);
  expect(await countsOf(experiment)).toEqual([
    { arm: 'fullPrice', hour: now, visitors: 2 },
    { arm: 'fullPrice', hour: now + hour, visitors: 1 },
    { arm: 'intro/7d', hour: now, visitors: 1 },
  ]);
});

test('exposure table: a repeated message is counted once', async () => {
  const experiment = 'again';
  const batch = Array.from({ length: 100 }, () => exposure({ experiment }));
  await countExposures(env.DB, [...batch, ...batch.slice(0, 10)], now);
  await Promise.all([1, 2, 3].map(() => countExposures(env.DB, batch.slice(50), now + day)));
  expect(await countsOf(experiment)).toEqual([{ arm: 'fullPrice', hour: now, visitors: 100 }]);
});

test('exposure table: ids are deleted after three days, counts are kept', async () => {
  const experiment = 'old';
  const old = exposure({ experiment });
  await countExposures(env.DB, [old], now);
  const kept = () =>
    env.DB.prepare('SELECT 1 FROM exposure_dedup WHERE id = ?').bind(old.id).first();
  await countExposures(env.DB, [], now + 3 * day);
  expect(await kept()).not.toBeNull();
  await countExposures(env.DB, [], now + 3 * day + 1);
  expect(await kept()).toBeNull();
  expect(await countsOf(experiment)).toEqual([{ arm: 'fullPrice', hour: now, visitors: 1 }]);
});

test('exposure table: a batch is counted whole or not at all', async () => {
  const experiment = 'whole';
  const impossible = { ...exposure({ experiment }), arm: null as never };
  const batch = [exposure({ experiment }), impossible];
  await expect(countExposures(env.DB, batch, now)).rejects.toThrow();
  expect(await countsOf(experiment)).toEqual([]);
});

test('exposure table: malformed messages are dropped', () => {
  const good = exposure();
  const others = [null, 'text', {}, { ...good, id: 1 }, { ...good, id: 'x' }, { ...good, at: '1' }];
  expect(parseExposures([good, ...others])).toEqual([good]);
});

beforeAll(async () => {
  const config = {
    experiment: 'prices',
    variants: [
      { key: 'fullPrice', weight: 50, flow: 'default' },
      { key: 'intro/7d', weight: 50, flow: 'default' },
    ],
  };
  await env.FUNNEL.put('config.json', JSON.stringify(config));
  await env.FUNNEL.put('flows.json', builtInDocuments['flows.json']);
});

afterEach(() => void vi.restoreAllMocks());
const chrome =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';
const browser = { 'user-agent': chrome, 'accept-language': 'en-US,en;q=0.9' };
const german = { ...browser, 'cf-ipcountry': 'DE' };

/** What one request has counted, and which cookies it was given. */
async function visit(path: string, headers: Record<string, string> = browser, method = 'GET') {
  const sent: Exposure[] = [];
  const EXPOSURE_QUEUE = { send: async (exposure: Exposure) => void sent.push(exposure) } as never;
  const response = await ask(path, { method, headers }, { EXPOSURE_QUEUE });
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? '');
  return { sent, status: response.status, cookies, cookie: cookies.join('; ') };
}

const named = (cookies: string[], name: string) =>
  cookies.find((cookie) => cookie.startsWith(`${name}=`));
test('exposure: a visitor is counted once, with the response that sets the arm', async () => {
  const first = await visit('/one_pager');
  const arm = decodeURIComponent(named(first.cookies, 'arm')?.slice(4) ?? '').split(/[:.]/)[1];
  expect(first.sent).toEqual([
    { id: expect.any(String), experiment: 'prices', arm, at: expect.closeTo(Date.now(), -4) },
  ]);
  for (const path of ['/searching', '/one_pager', '/']) {
    const again = await visit(path, { ...browser, cookie: first.cookie });
    expect([again.sent, again.cookies]).toEqual([[], []]);
  }
});

test('exposure: a new experiment, or a removed arm, counts again', async () => {
  const { cookies } = await visit('/');
  const uuid = named(cookies, 'userUuid');
  for (const arm of ['older%3AfullPrice', 'prices%3Aintro%2F3d', 'nonsense']) {
    const again = await visit('/', { ...browser, cookie: `${uuid}; arm=${arm}` });
    expect(again.sent).toHaveLength(1);
    expect(named(again.cookies, 'arm')).toBe(named(cookies, 'arm'));
  }
});

test('exposure: a prefetch counts nothing and sets no cookie', async () => {
  for (const [name, value] of [
    ['sec-purpose', 'prefetch;prerender'],
    ['x-purpose', 'prefetch'],
  ] as const) {
    const early = await visit('/one_pager', { ...browser, [name]: value });
    expect(early).toMatchObject({ status: 200, sent: [], cookies: [] });
  }
  expect((await visit('/one_pager')).sent).toHaveLength(1);
});

test.each([
  ['an unknown address', '/nothing_here', 'GET'],
  ['a document', '/config.json', 'GET'],
  ['an API call', '/api/v1/users/me/payments-settings', 'GET'],
  ['a look at the headers', '/one_pager', 'HEAD'],
  ['a form', '/searching', 'POST'],
  ['a visitor who leaves the test out', '/?skip_split=true', 'GET'],
])('exposure: %s counts nothing and sets no arm', async (_what, path, method) => {
  const { sent, cookies } = await visit(path, browser, method);
  expect([sent, named(cookies, 'arm')]).toEqual([[], undefined]);
});

test('exposure: bots are not counted', async () => {
  const google = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
  expect((await visit('/', { ...browser, 'user-agent': google })).sent).toEqual([]);
  expect((await visit('/', { 'user-agent': chrome })).sent).toEqual([]);
  expect((await visit('/', { ...browser, 'user-agent': 'curl/8.9.1' })).sent).toEqual([]);
});

test('exposure: without consent the session is counted once and no cookie is set', async () => {
  const early = await visit('/', { ...german, 'x-purpose': 'prefetch' });
  expect([early.sent, early.cookies]).toEqual([[], []]);
  const first = await visit('/', german);
  expect(first.sent).toHaveLength(1);
  expect(first.cookies).toEqual([named(first.cookies, 'userUuid')]);
  const again = await visit('/searching', { ...german, cookie: first.cookie });
  // The id is written anew, so that it ends with the session whoever wrote it before.
  expect([again.sent, again.cookies]).toEqual([[], first.cookies]);
});

test('exposure: the account stores the experiment and arm that were shown', async () => {
  const { sent, cookie } = await visit('/');
  const fields = { email: 'arm@example.com', user_uuid: crypto.randomUUID(), landing_type: 'x' };
  expect((await post('/signup', fields, { cookie })).status).toBe(200);
  const row = await env.DB.prepare('SELECT experiment, arm FROM accounts WHERE email_key = ?')
    .bind('arm@example.com')
    .first();
  expect(row).toEqual({ experiment: 'prices', arm: sent[0]?.arm });
});

test.each<[string, unknown]>([
  ['refuses', { send: () => Promise.reject(new Error('overloaded')) }],
  [
    'throws',
    {
      send: () => {
        throw new Error('gone');
      },
    },
  ],
  ['is not bound', undefined],
])(
  'exposure: with a queue that %s D1 counts it, and only without D1 it is lost',
  async (_, queue) => {
    const logged = ['warn', 'error'] as const;
    const [warn, error] = logged.map((level) => vi.spyOn(console, level).mockReturnValue());
    const visitors = () =>
      env.DB.prepare("SELECT SUM(visitors) AS n FROM exposure_counts WHERE experiment = 'prices'");
    const before = Number(await visitors().first('n'));
    for (const more of [{}, { DB: { batch: () => Promise.reject(new Error('down')) } }]) {
      const bindings = { EXPOSURE_QUEUE: queue, ...more } as Partial<Env>;
      const response = await ask('/one_pager', { headers: browser }, bindings);
      expect([response.status, (await response.text()).includes('<h1')]).toEqual([200, true]);
    }
    expect(await visitors().first('n')).toBe(before + 1);
    expect([warn, error].map((spy) => spy?.mock.calls.length)).toEqual([1, 1]);
    expect(String(warn?.mock.calls)).toContain('exposure_queue_fallback');
    expect(String(error?.mock.calls)).toContain('exposure_enqueue_failed');
  },
);
test.each([
  ['Mozilla/5.0 (Linux; Android 13; CUBOT P80) AppleWebKit/537.36 Chrome/120 Mobile', false],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) [FBAN/FBIOS;FBAV/500.0]', false],
  ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', true],
  ['AdsBot-Google (+http://www.google.com/adsbot.html)', true],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', true],
  ['Mozilla/5.0 AppleWebKit/537.36 (compatible; GPTBot/1.2; +https://openai.com/gptbot)', true],
  ['WhatsApp/2.23.20.0', true],
  ['python-requests/2.32', true],
])('exposure: %s is a bot: %s', (agent, bot) => {
  const headers = { 'user-agent': agent, 'accept-language': 'en' };
  expect(isBot(new Request('https://funnel.example/', { headers }))).toBe(bot);
});

test('exposure: prefetch headers are recognised', () => {
  const asked = (headers: Record<string, string>) =>
    isPrefetch(new Request('https://funnel.example/', { headers }));
  expect(asked({ 'sec-purpose': 'prefetch' })).toBe(true);
  expect(asked({ 'Sec-Purpose': 'Prefetch; anonymous-client-ip' })).toBe(true);
  expect(asked({ 'x-purpose': 'prefetch' })).toBe(true);
  expect(asked({})).toBe(false);
});
