import { env } from 'cloudflare:test';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { adClickDataOf } from '../../../worker/analytics/ad-networks/index.ts';
import type { App } from '../../../worker/env.ts';
import { visitor } from '../../../worker/visitor/visitor.ts';
import { networkVars } from './conversion-fixture.ts';

const app = new Hono<App>()
  .use(visitor)
  .post('/', async (c) => c.json(adClickDataOf(c, await c.req.json())));

const yes = 'consent=1.yes';
const headers = { 'user-agent': 'Browser/1', 'cf-connecting-ip': '192.0.2.1' };
const trace = async (
  told: unknown,
  more: Record<string, string> = {},
  vars: object = networkVars,
) => {
  const init = { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(told) };
  const response = await app.request('https://funnel.test/', init, { ...env, ...vars });
  return response.json();
};

const named = { user_data: { fbc: 'fb.1.1.c', ttp: 't1' } };
const german = { 'cf-ipcountry': 'DE' };
const visitorId = '5d6c3c5e-8a0e-4b6f-9d5f-0a1b2c3d4e5f';

test('ad click data: none without permission or without a network', async () => {
  expect(await trace(named, german)).toBeNull();
  expect(await trace(named, { ...german, cookie: 'consent=1.no' })).toBeNull();
  expect(await trace(named, { 'sec-gpc': '1' })).toBeNull();
  expect(await trace(named, { cookie: yes }, {})).toBeNull();
});

test('ad click data: has ids, and the IP address only if a network needs it', async () => {
  const german_yes = { ...german, cookie: `${yes}; userUuid=${visitorId}` };
  expect(await trace(named, german_yes)).toEqual({
    user: named,
    visitor: visitorId,
    agent: 'Browser/1',
  });
  expect(await trace({}, german_yes)).toEqual({
    user: {},
    visitor: visitorId,
    agent: 'Browser/1',
    address: '192.0.2.1',
  });
  const google = { GOOGLE_ANALYTICS_ID: 'G', GOOGLE_ANALYTICS_SECRET: 's' };
  expect(await trace({}, german_yes, google)).toEqual({ user: {}, visitor: visitorId });
});

test('ad click data: other fields of the browser are dropped', async () => {
  const told = {
    ...named,
    uuid: 'u',
    email: 'ada@example.com',
    price: 1,
    user_data: { em: 'x', fbc: 'a@b' },
  };
  expect(await trace(told)).toMatchObject({ user: { user_data: {} } });
  expect(JSON.stringify([await trace(told), await trace('ada@example.com')])).not.toMatch(/ada|@/);
});
