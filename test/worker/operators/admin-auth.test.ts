import { expect, test, vi } from 'vitest';
import { isEqualConstantTime } from '../../../worker/operators/admin-auth.ts';
import { auditOf, operate } from '../payments/webhooks/admin-client.ts';
import { refusalOf, request } from '../request.ts';

test('admin auth: secrets are equal only if all characters are, whatever their lengths', async () => {
  expect(await isEqualConstantTime('a secret', 'a secret')).toBe(true);
  for (const other of ['a secreT', 'a secre', 'a secret ', '', 'ä secret'])
    expect([other, await isEqualConstantTime('a secret', other)]).toEqual([other, false]);
});

const paths = [
  ['GET', '/admin/check'],
  ['POST', '/admin/refunds'],
  ['GET', '/admin/dead-letters'],
  ['POST', '/admin/dead-letters'],
  ['POST', '/admin/subscriptions/a/end'],
  ['GET', '/admin/gateways'],
  ['GET', '/admin/renewals'],
  ['GET', '/admin'],
  ['GET', '/admin/nothing'],
];

test.each(paths)('admin auth: %s %s is not found without the token', async (method, path) => {
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
    const response = await request(path ?? '', { method, headers }, { ADMIN_TOKEN });
    const [status, code] = await refusalOf(response);
    expect([authorization, status, code]).toEqual([authorization, ...hidden.slice(0, 2)]);
    expect(response.headers.get('set-cookie')).toBeNull();
  }
});

test('admin auth: with the token routes answer, uncached', async () => {
  const headers = { authorization: 'Bearer right' };
  const there = await request('/admin/dead-letters', { headers }, { ADMIN_TOKEN: 'right' });
  expect([there.status, there.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect((await request('/admin/nothing', { headers }, { ADMIN_TOKEN: 'right' })).status).toBe(404);
});

test('admin auth: a token in a cookie is not accepted', async () => {
  const headers = { cookie: 'ADMIN_TOKEN=right; authorization=Bearer right' };
  const response = await request('/admin/dead-letters', { headers }, { ADMIN_TOKEN: 'right' });
  expect(response.status).toBe(404);
});

const statusWith = async (
  token: string,
  more: { ADMIN_TOKEN: string; ENVIRONMENT?: string },
  address?: string,
) => {
  const from: Record<string, string> = address ? { 'cf-connecting-ip': address } : {};
  const headers = { authorization: `Bearer ${token}`, ...from };
  return (await request('/admin/dead-letters', { headers }, more)).status;
};

test('admin auth: in production a token of fewer than 32 characters is not accepted', async () => {
  const [short, long] = ['x'.repeat(31), 'x'.repeat(32)];
  const production = { ENVIRONMENT: 'production' };
  expect(await statusWith(short, { ADMIN_TOKEN: short, ...production })).toBe(404);
  expect(await statusWith(long, { ADMIN_TOKEN: long, ...production })).toBe(200);
});

const [annsToken, bobsToken] = ['a'.repeat(32), 'b'.repeat(32)];
const named = `ann=${annsToken}, bob=${bobsToken}`;

test.each([
  ['a token that names ann', annsToken, named, 200, 'ann'],
  ['a token that names bob', bobsToken, named, 200, 'bob'],
  ['a shared token', 'c'.repeat(32), `${named},${'c'.repeat(32)}`, 200, 'ADMIN_TOKEN (carla)'],
  [
    'a shared token that ends in =',
    `${'c'.repeat(32)}=`,
    `${'c'.repeat(32)}=`,
    200,
    'ADMIN_TOKEN (carla)',
  ],
  ['a token with its name', `ann=${annsToken}`, named, 404, undefined],
  ['the whole list', named, named, 404, undefined],
  ['an empty entry', 'x', `${named},`, 404, undefined],
  ['a list with one short token', annsToken, `${named},eve=short`, 404, undefined],
])(
  'admin auth: the audit of a command with %s',
  async (how, token, ADMIN_TOKEN, status, operator) => {
    const visitor = crypto.randomUUID();
    const response = await request(
      `/admin/visitors/${visitor}/erase`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'x-operator': 'carla',
        },
        body: JSON.stringify({ reason: how, operator: 'carla' }),
      },
      { ADMIN_TOKEN, ENVIRONMENT: 'production' },
    );
    expect([response.status, (await auditOf(visitor))[0]?.operator]).toEqual([status, operator]);
  },
);

test('admin auth: after 20 wrong tokens, parallel ones too, an IP is refused for an hour', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
  const more = { ADMIN_TOKEN: 'right' };
  const here = '198.51.100.77';
  for (let at = 0; at < 25; at += 1) expect(await statusWith('right', more, here)).toBe(200);
  const wrong = Array.from({ length: 19 }, () => statusWith('wrong', more, here));
  expect(new Set(await Promise.all(wrong))).toEqual(new Set([404]));
  expect(await statusWith('right', more, here)).toBe(200);
  await statusWith('wrong', more, here);
  expect(await statusWith('right', more, here)).toBe(404);
  expect(await statusWith('right', more, '198.51.100.78')).toBe(200);
  vi.setSystemTime(1_800_000_000_000 + 60 * 60_000);
  expect(await statusWith('right', more, here)).toBe(200);
  vi.useRealTimers();
});

test('admin: a body over 64 KB is refused', async () => {
  expect(await operate('/refunds', { reason: 'x'.repeat(70_000) })).toMatchObject({
    status: 413,
    errors: { code: 'body_too_large' },
  });
});
