import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { addToNoScriptCookie, type NoScriptState } from '../../../worker/pages/no-script-forms.ts';
import type { App } from '../../../worker/platform/env.ts';

const map = { phone: '+49 1512 3456789', country: 'DE' };
const tokens = { token: 'a', deeplinkToken: 'd', userId: 'u' };
const signup = { email: 'zoë@example.com', ...tokens };

async function add(more: NoScriptState, cookie = '', url = 'http://localhost/') {
  const app = new Hono<App>().get('/', (c) => {
    addToNoScriptCookie(c, more);
    return c.text('');
  });
  return (await app.request(url, { headers: { cookie } })).headers.get('set-cookie') ?? '';
}

const encode = (state: unknown) => encodeURIComponent(JSON.stringify(state));

function read(setCookie: string): unknown {
  const [, value = ''] = /^(?:__Host-)?carry=([^;]+);/.exec(setCookie) ?? [];
  return JSON.parse(decodeURIComponent(value));
}

test('no-script cookie: holds JSON for ten minutes', async () => {
  const cookie = await add({ map });
  expect(read(cookie)).toEqual({ map });
  expect(cookie.split('; ').slice(1)).toEqual(['Max-Age=600', 'Path=/', 'SameSite=Lax']);
});

test('no-script cookie: has the __Host- prefix on https', async () => {
  const planted = `carry=${encode({ signup: { ...signup, email: 'thief@example.com' } })}`;
  const cookie = await add({ map }, planted, 'https://get.funnel.test/');
  expect(cookie).toMatch(/^__Host-carry=/);
  expect(cookie.split('; ').slice(1)).toEqual(['Max-Age=600', 'Path=/', 'Secure', 'SameSite=Lax']);
  expect(read(cookie)).toEqual({ map });
  const [own = ''] = cookie.split(';');
  const later = await add({ signup }, `${planted}; ${own}`, 'https://get.funnel.test/');
  expect(read(later)).toEqual({ map, signup });
});

test('no-script cookie: later answers are added', async () => {
  const [first = ''] = (await add({ map })).split(';');
  expect(read(await add({ signup }, first))).toEqual({ map, signup });
});

test.each([
  'carry=',
  'carry=!!',
  'carry=%7B%22m',
  `carry=${encode({ map: { phone: 1 } })}`,
  `carry=${encode([])}`,
])('no-script cookie: %s is ignored', async (cookie) => {
  expect(read(await add({ map }, cookie))).toEqual({ map });
});

test('no-script cookie: unknown fields are dropped', async () => {
  const signup = { email: 'a@example.com', ...tokens };
  const cookie = `carry=${encode({ signup, admin: true })}`;
  expect(read(await add({ map }, cookie))).toEqual({ map, signup });
});
