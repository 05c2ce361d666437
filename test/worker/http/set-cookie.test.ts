import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { setCookie } from '../../../worker/http/set-cookie.ts';
import type { App } from '../../../worker/platform/env.ts';

test('set-cookie: appends cookies before and after the response exists', async () => {
  const app = new Hono<App>().use(async (c, next) => {
    setCookie(c, 'a', '1', { maxAge: 60 });
    await next();
    setCookie(c, 'b', 'x y', { sameSite: 'Lax' });
    setCookie(c, 'c', '', {});
  });
  const { headers } = await app.get('/', (c) => c.text('page')).request('/');
  expect(headers.getSetCookie()).toEqual([
    'a=1; Max-Age=60; Path=/',
    'b=x%20y; Path=/; SameSite=Lax',
    'c=; Path=/',
  ]);
});

test('set-cookie: an existing response is not rebuilt', async () => {
  const page = new Response('page');
  const app = new Hono<App>().use(async (c, next) => {
    await next();
    setCookie(c, 'a', '1', {});
  });
  expect(await app.get('/', () => page).request('/')).toBe(page);
});
