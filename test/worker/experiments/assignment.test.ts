import { env } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  armFromCookie,
  isArmInCookie,
  setArmCookies,
} from '../../../worker/experiments/assignment.ts';
import { bucketOf, pickVariant, type Variant } from '../../../worker/experiments/rules/split.ts';
import { pollTimeout } from '../../poll-timeout.ts';
import { attributes } from '../open-page.ts';
import { request } from '../request.ts';

type Headers = Record<string, string>;

const browser = { 'accept-language': 'en', 'user-agent': 'Mozilla/5.0' };
const warm = { CONFIG_CACHE_SECONDS: '0' };
const variant = (key: string, weight: number, flow = 'default') => ({ key, weight, flow });
const stopped = { at: '2026-12-10T00:00:00Z', guardrail: 'Declines per attempt', weight: 50 };
const halves = [variant('fullPrice', 50), variant('intro/7d', 50, 'lp11ch8')];

/** The experiment after the second arm has no new visitors. */
const ended = [variant('fullPrice', 100), variant('intro/7d', 0, 'lp11ch8')];

/** A visitor's page: its attributes, and the cookie that stores the arm. */
async function visit(headers: Headers = {}, path = '/one_pager') {
  const response = await request(path, { headers: { ...browser, ...headers } }, warm);
  const cookies = response.headers.getSetCookie();
  const arm = cookies.find((cookie) => cookie.startsWith('arm='));
  const { 'data-arm': shown, 'data-flow': flow } = attributes(await response.text(), 'main');
  return { shown, flow, cookie: arm && decodeURIComponent(arm), cookies };
}

/** Writes the experiment to KV, and waits until the server has it. */
async function run(experiment: string, variants: readonly Variant[]) {
  await env.FUNNEL.put('config.json', JSON.stringify({ experiment, variants }));
  await env.FUNNEL.put('flows.json', JSON.stringify({ flows: {} }));
  await vi.waitFor(async () => {
    const response = await request('/config.json', {}, warm);
    const weighted = variants
      .filter(({ weight }) => weight > 0)
      .map(({ key, weight, flow }) => ({ key, weight, flow }));
    expect(await response.json()).toEqual({ experiment, variants: weighted });
  }, pollTimeout);
}

const uuids = Array.from({ length: 40 }, () => crypto.randomUUID());
const drawn = (uuid: string, variants: typeof halves) =>
  pickVariant(variants, bucketOf('e1', uuid))?.key;
const of = (arm: string) => uuids.find((uuid) => drawn(uuid, halves) === arm) ?? '';

beforeEach(() => run('e1', halves));

test('assignment: the visitor id determines arm and flow', async () => {
  for (const uuid of uuids.slice(0, 8)) {
    const { shown, flow } = await visit({ cookie: `userUuid=${uuid}` });
    expect(shown).toBe(drawn(uuid, halves));
    expect(flow).toBe(shown === 'fullPrice' ? 'default' : 'lp11ch8');
  }
});

test('assignment: visitors of a stopped arm get the control, uncounted, and their arm when it goes on', async () => {
  const cookie = `userUuid=${of('intro/7d')}`;
  const first = await visit({ cookie });
  const mine = { cookie: `${cookie}; ${first.cookie?.split(';')[0]}` };
  await run('e1', [variant('fullPrice', 100), { ...variant('intro/7d', 0, 'lp11ch8'), stopped }]);
  const then = await visit(mine);
  expect([then.shown, then.flow, then.cookie]).toEqual(['fullPrice', 'default', undefined]);
  await run('e1', [variant('fullPrice', 90), { ...variant('intro/7d', 10, 'lp11ch8'), stopped }]);
  expect((await visit(mine)).shown).toBe('intro/7d');
});

test('assignment: the first screen sets a cookie for 365 days', async () => {
  const { cookie } = await visit({ cookie: `userUuid=${of('intro/7d')}` });
  expect(cookie?.split('; ').sort()).toEqual([
    'Max-Age=31536000',
    'Path=/',
    'SameSite=Lax',
    expect.stringMatching(/^arm=e1:intro\/7d\.[\w-]{43}$/),
  ]);
});

test('assignment: a visitor with the cookie keeps the arm', async () => {
  const cookie = `userUuid=${of('fullPrice')}; arm=${encodeURIComponent('e1:intro/7d')}`;
  const visited = await visit({ cookie });
  expect([visited.shown, visited.cookie]).toEqual(['intro/7d', undefined]);
});

test('assignment: new weights affect only new visitors', async () => {
  const visitor = `userUuid=${of('intro/7d')}`;
  const [given = ''] = (await visit({ cookie: visitor })).cookies[0]?.split(';') ?? [];
  await run('e1', ended);
  const response = await visit({ cookie: `${visitor}; ${given}` });
  expect([response.shown, response.cookie]).toEqual(['intro/7d', undefined]);
  expect((await visit({ cookie: visitor })).shown).toBe('fullPrice');
});

test('assignment: an arm of weight 0 needs our signature', async () => {
  await run('e1', ended);
  const signature = 'A'.repeat(43);
  for (const forged of [
    'e1:intro/7d',
    `e1:intro/7d.${signature}`,
    'e1:intro/7d.',
    'e1:intro/7d.é',
  ]) {
    const cookie = `userUuid=${of('intro/7d')}; arm=${encodeURIComponent(forged)}`;
    const visited = await visit({ cookie });
    expect([forged, visited.shown]).toEqual([forged, 'fullPrice']);
    expect(visited.cookie).toMatch(/^arm=e1:fullPrice\./);
  }
  // The signature of one arm is invalid for any other.
  const [own = ''] =
    (await visit({ cookie: `userUuid=${of('fullPrice')}` })).cookie?.split(';') ?? [];
  const moved = encodeURIComponent(own.slice('arm='.length).replace('fullPrice', 'intro/7d'));
  const visited = await visit({ cookie: `userUuid=${of('intro/7d')}; arm=${moved}` });
  expect(visited.shown).toBe('fullPrice');
});

test.each([
  ['an arm that is gone', 'e1:intro/3d'],
  ['an experiment that is over', 'e0:intro/7d'],
  ['nonsense', '__proto__'],
  ['nothing', ''],
])('assignment: a cookie of %s is replaced by a new draw', async (_, arm) => {
  const uuid = of('fullPrice');
  const visited = await visit({ cookie: `userUuid=${uuid}; arm=${encodeURIComponent(arm)}` });
  expect(visited.shown).toBe('fullPrice');
  expect(visited.cookie).toMatch(/^arm=e1:fullPrice\.[\w-]{43};/);
});

test('assignment: skip_split gives the default type and flow, and no cookie', async () => {
  const cookie = `userUuid=${of('intro/7d')}`;
  const visited = await visit({ cookie }, '/one_pager?skip_split=true');
  expect(visited).toMatchObject({ shown: 'fullPrice', flow: 'default', cookie: undefined });
  expect((await visit({ cookie }, '/one_pager?skip_split=false')).shown).toBe('intro/7d');
});

test('assignment: without consent the visitor id determines the arm, and no cookie is set', async () => {
  for (const country of ['DE', 'SE', 'GB']) {
    const visited = await visit({ cookie: `userUuid=${of('intro/7d')}`, 'cf-ipcountry': country });
    expect(visited).toMatchObject({ shown: 'intro/7d', cookie: undefined });
  }
});

test('assignment: a prefetch or a page outside the funnel sets no cookie', async () => {
  const headers = { cookie: `userUuid=${of('intro/7d')}` };
  expect((await visit({ ...headers, 'sec-purpose': 'prefetch' })).cookie).toBeUndefined();
  for (const path of ['/nowhere', '/config.json', '/api/v1/cf-country', '/healthz'])
    expect((await visit(headers, path)).cookie).toBeUndefined();
});

test('assignment: the arm determines where a form leads', async () => {
  const next = async (arm: string) => {
    const cookie = `userUuid=${of(arm)}`;
    const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({ email: `${crypto.randomUUID()}@example.com` });
    const response = await request('/signup', { method: 'POST', headers, body }, warm);
    return response.headers.get('location');
  };
  expect(await next('fullPrice')).toBe('/checkout_v3_tr');
  expect(await next('intro/7d')).toBe('/checkout_h3_pp');
});

test('assignment: the public configuration is readable without coupons, uncached', async () => {
  const config = { experiment: 'e2', variants: halves, coupons: { FAMILY50: { percent: 50 } } };
  await env.FUNNEL.put('config.json', JSON.stringify(config));
  const text = await vi.waitFor(async () => {
    const response = await request('/config.json', {}, warm);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    const html = await response.text();
    expect(html).toContain('e2');
    return html;
  }, pollTimeout);
  expect(JSON.parse(text)).toEqual({ experiment: 'e2', variants: halves });
});

const context = (experiment: string | null) => {
  const headers = new Headers();
  const c = {
    env,
    get: () => ({ experiment, arm: 'intro/7d' }),
    req: { url: 'https://shop.example/' },
    header: (name: string, value: string) => headers.append(name, value),
  } as unknown as Parameters<typeof setArmCookies>[0];
  return { c, headers };
};

test('arm cookie: contains experiment and arm, signed, for a year', async () => {
  const { c, headers } = context('e1');
  await setArmCookies(c, '');
  expect(headers.get('set-cookie')).toMatch(
    /^arm=e1%3Aintro%2F7d\.[\w-]{43}; Max-Age=31536000; Path=\/; Secure; SameSite=Lax$/,
  );
  const given = decodeURIComponent(headers.get('set-cookie')?.slice(4).split(';')[0] ?? '');
  expect(
    [given, 'e1:intro/7d', 'e1:intro/5d', ''].map((cookie) => isArmInCookie(c, cookie)),
  ).toEqual([true, true, false, false]);
  // `TOKEN_SECRET` may be replaced within the year.
  const later = { ...env, TOKEN_SECRET: 'x'.repeat(32) };
  const variant = { key: 'intro/7d', weight: 0, flow: 'default' };
  expect(await armFromCookie(later, 'e1', [variant], given)).toBe(variant);
});

test('arm cookie: a visitor outside the experiment gets none', async () => {
  const { c, headers } = context(null);
  await setArmCookies(c, 'one_pager');
  expect([isArmInCookie(c, 'null:intro/7d'), headers.get('set-cookie')]).toEqual([false, null]);
});
