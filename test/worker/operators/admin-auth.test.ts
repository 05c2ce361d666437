import { beforeEach, expect, test } from 'vitest';
import { isEqualConstantTime } from '../../../worker/operators/admin-auth.ts';
import { listen } from '../payments/webhooks/captured-log.ts';
import { ask, refusalOf } from '../request.ts';

beforeEach(() => void listen());

test('two secrets are the same only letter by letter, whatever their lengths', async () => {
  expect(await isEqualConstantTime('a secret', 'a secret')).toBe(true);
  for (const other of ['a secreT', 'a secre', 'a secret ', '', 'ä secret']) {
    expect([other, await isEqualConstantTime('a secret', other)]).toEqual([other, false]);
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
