import { beforeEach, expect, test, vi } from 'vitest';
import { areSame } from '../../../worker/api/operator.ts';
import { ask, refusalOf } from '../ask.ts';
import { listen } from '../webhooks/said.ts';

beforeEach(() => void listen());

test('two secrets are the same only letter by letter, whatever their lengths', async () => {
  expect(await areSame('a secret', 'a secret')).toBe(true);
  for (const other of ['a secreT', 'a secre', 'a secret ', '', 'ä secret']) {
    expect([other, await areSame('a secret', other)]).toEqual([other, false]);
  }
});

const paths = [
  ['GET', '/admin/check'],
  ['POST', '/admin/refunds'],
  ['GET', '/admin/dead-letters'],
  ['POST', '/admin/dead-letters'],
  ['POST', '/admin/holdings/a/end'],
  ['GET', '/admin/gateways'],
  ['GET', '/admin'],
  ['GET', '/admin/nothing'],
];

test.each(paths)('%s %s: without the token there is nothing here', async (method, path) => {
  const hidden = [404, 'not_found', 'We could not find this page.'];
  const tries: [header: string | undefined, token: string | undefined][] = [
    ['Bearer right', undefined],
    ['Bearer ', ''],
    ['Bearer undefined', undefined],
    [undefined, 'right'],
    ['Bearer wrong', 'right'],
    ['Bearer righ', 'right'],
    ['Bearer right2', 'right'],
    ['Basic right', 'right'],
    ['right', 'right'],
  ];
  for (const [authorization, ADMIN_TOKEN] of tries) {
    const headers = { ...(authorization && { authorization }) };
    const answer = await ask(path ?? '', { method, headers }, { ADMIN_TOKEN });
    const [status, code] = await refusalOf(answer);
    expect([authorization, status, code]).toEqual([authorization, ...hidden.slice(0, 2)]);
    expect(answer.headers.get('set-cookie')).toBeNull();
  }
});

test('with the token what is there answers, and is kept nowhere', async () => {
  const headers = { authorization: 'Bearer right' };
  const there = await ask('/admin/dead-letters', { headers }, { ADMIN_TOKEN: 'right' });
  expect([there.status, there.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const nothing = await ask('/admin/nothing', { headers }, { ADMIN_TOKEN: 'right' });
  expect(nothing.status).toBe(404);
});

test('a cookie is no token', async () => {
  const headers = { cookie: 'ADMIN_TOKEN=right; authorization=Bearer right' };
  const answer = await ask('/admin/dead-letters', { headers }, { ADMIN_TOKEN: 'right' });
  expect(answer.status).toBe(404);
});

const asked = async (
  token: string,
  more: { ADMIN_TOKEN: string; ENVIRONMENT?: string },
  address?: string,
) => {
  const from: Record<string, string> = address ? { 'cf-connecting-ip': address } : {};
  const headers = { authorization: `Bearer ${token}`, ...from };
  return (await ask('/admin/dead-letters', { headers }, more)).status;
};

test('in production a token of fewer than 32 characters lets nobody in', async () => {
  const [short, long] = ['x'.repeat(31), 'x'.repeat(32)];
  const production = { ENVIRONMENT: 'production' };
  expect(await asked(short, { ADMIN_TOKEN: short, ...production })).toBe(404);
  expect(await asked(long, { ADMIN_TOKEN: long, ...production })).toBe(200);
});

test('after twenty wrong tokens, also at once, an address is not let in for an hour', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
  const more = { ADMIN_TOKEN: 'right' };
  const here = '198.51.100.77';
  for (let at = 0; at < 25; at += 1) expect(await asked('right', more, here)).toBe(200);
  const wrong = Array.from({ length: 19 }, () => asked('wrong', more, here));
  expect(new Set(await Promise.all(wrong))).toEqual(new Set([404]));
  expect(await asked('right', more, here)).toBe(200);
  await asked('wrong', more, here);
  expect(await asked('right', more, here)).toBe(404);
  expect(await asked('right', more, '198.51.100.78')).toBe(200);
  vi.setSystemTime(1_800_000_000_000 + 60 * 60_000);
  expect(await asked('right', more, here)).toBe(200);
  vi.useRealTimers();
});
