import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { addToCarry, type Carry } from '../../worker/carry.ts';
import type { App } from '../../worker/env.ts';

const map = { phone: '+49 1512 3456789', country: 'DE' };
const tokens = { access_token: 'a', deeplink_token: 'd', userId: 'u' };
const signup = { email: 'zoë@example.com', ...tokens };

async function add(more: Carry, cookie = '', url = 'http://localhost/') {
  const app = new Hono<App>().get('/', (c) => {
    addToCarry(c, more);
    return c.text('');
  });
  const response = await app.request(url, { headers: { cookie } });
  return response.headers.get('set-cookie') ?? '';
}

function read(setCookie: string): unknown {
  const [, value = ''] = /^(?:__Host-)?carry=([\w-]+);/.exec(setCookie) ?? [];
  const bytes = atob(value.replaceAll('-', '+').replaceAll('_', '/'));
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (b) => b.charCodeAt(0))));
}

test('the cookie is base64url of JSON and lives ten minutes', async () => {
  const cookie = await add({ map });
  expect(read(cookie)).toEqual({ map });
  expect(cookie.split('; ').slice(1)).toEqual(['Max-Age=600', 'Path=/', 'SameSite=Lax']);
});

test('on https no other host can set it', async () => {
  const planted = `carry=${btoa(JSON.stringify({ signup: { ...signup, email: 'thief@example.com' } }))}`;
  const cookie = await add({ map }, planted, 'https://get.funnel.test/');
  expect(cookie).toMatch(/^__Host-carry=/);
  expect(cookie.split('; ').slice(1)).toEqual(['Max-Age=600', 'Path=/', 'Secure', 'SameSite=Lax']);
  expect(read(cookie)).toEqual({ map });
  const [own = ''] = cookie.split(';');
  const later = await add({ signup }, `${planted}; ${own}`, 'https://get.funnel.test/');
  expect(read(later)).toEqual({ map, signup });
});

test('what comes later joins what was there', async () => {
  const [first = ''] = (await add({ map })).split(';');
  expect(read(await add({ signup }, first))).toEqual({ map, signup });
});

test.each([
  'carry=',
  'carry=!!',
  'carry=eyJt',
  `carry=${btoa('{"map":{"phone":1}}')}`,
  `carry=${btoa('[]')}`,
])('%s counts for nothing', async (cookie) => {
  expect(read(await add({ map }, cookie))).toEqual({ map });
});

test('foreign fields do not travel', async () => {
  const signup = { email: 'a@example.com', ...tokens };
  const cookie = `carry=${btoa(JSON.stringify({ signup, admin: true }))}`;
  expect(read(await add({ map }, cookie))).toEqual({ map, signup });
});
