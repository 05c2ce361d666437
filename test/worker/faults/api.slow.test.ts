import { env } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { app } from '../../../worker/app.ts';
import type { Env } from '../../../worker/platform/env.ts';
import { newAccount, verify } from '../accounts/account-fixture.ts';
import { freshNumber, postInvitation, requester } from '../invitations/sms/sms-fixture.ts';
import { answerOf, d1Faults, outages, shortenTimers } from './faulty-binding.ts';

/** A binding that a route cannot work without. */
type Need = 'D1' | 'objects' | 'queues';

const attempt = crypto.randomUUID();
const code = 'A'.repeat(22);
const email = () => `${crypto.randomUUID()}@example.com`;
const who = () => ({ user_uuid: crypto.randomUUID(), landing_type: 'split_fullPrice' });
const position = { latitude: 1, longitude: 2, accuracy: 3 };
const question = () => ({ phone: freshNumber(), name: 'Ana', duration: 'day' });
const event = { id: 'one', name: 'session_start', properties: {} };
const poll = `${'0'.repeat(64)}.${'0'.repeat(32)}`;
const uuid = '[\\da-f-]{36}';

/** Every API call with a valid body and its required bindings. */
const calls: Record<string, { needs: Need[]; body?: () => object; path?: string }> = {
  'GET /cf-country': { needs: [] },
  'POST /phone-number-info': { needs: [], body: () => ({ phone: '+14155550132' }) },
  'POST /coupons': { needs: ['D1'], body: () => ({ coupon: 'X', plan: 'monthly_usd' }) },
  'GET /geocode': { needs: [] },
  'POST /consent': { needs: [], body: () => ({ choice: 'yes' }) },
  'GET /users/me/payments-settings': { needs: ['D1'] },
  'POST /authorize_social_via_access_token': {
    needs: [],
    body: () => ({ access_token: 'x', driver: 'google', ...who() }),
  },
  'POST /users/me/invitations/sms-preview': { needs: ['D1'], body: question },
  'POST /reports': { needs: [], body: () => [] },
  'POST /events': { needs: ['queues'], body: () => ({ events: [event] }) },
  'POST /signup': { needs: ['D1'], body: () => ({ email: email(), ...who() }) },
  'GET /users/me/export': { needs: ['D1', 'objects'] },
  'GET /users/me/invitations': { needs: ['D1'] },
  'GET /users/me/deeplink-qr-code': { needs: ['D1'] },
  'POST /users/me/deeplink': { needs: ['D1'], body: () => ({}) },
  'GET /users/me/manual-code': { needs: ['D1'] },
  'POST /deeplink/check': { needs: ['D1'], body: () => ({ code }) },
  'POST /deeplink/redeem': { needs: ['D1'], body: () => ({ code }) },
  'POST /users/me/sign-out': { needs: ['D1'], body: () => ({}) },
  'POST /sign-in-link/check': { needs: ['D1'], body: () => ({ code }) },
  'POST /sign-in-link/open': { needs: ['D1'], body: () => ({ code }) },
  'POST /card-link/check': { needs: ['D1'], body: () => ({ code }) },
  'POST /card-link/open': { needs: ['D1'], body: () => ({ code }) },
  'POST /invitations/open': { needs: ['D1'], body: () => ({ code }) },
  'POST /invitations/accept': { needs: ['D1'], body: () => ({ code, position }) },
  'POST /invitations/decline': { needs: ['D1'], body: () => ({ code }) },
  'POST /invitations/stop': { needs: ['D1'], body: () => ({ code }) },
  'POST /invitations/block': { needs: ['D1'], body: () => ({ code, report: false }) },
  'POST /invitations/opt-out-code': { needs: ['D1'], body: () => ({ code, phone: freshNumber() }) },
  'POST /invitations/opt-out': { needs: ['D1'], body: () => ({ code, digits: '123456' }) },
  [`POST /users/me/invitations/:id{${uuid}}/send`]: { needs: ['D1'] },
  [`DELETE /users/me/invitations/:id{${uuid}}`]: { needs: ['D1'] },
  // Only the IP is counted before the response, so that the response does not reveal an account.
  'POST /sign-in-link': { needs: ['D1'], body: () => ({ email: email() }) },
  'POST /deeplink/email': { needs: ['D1'], body: () => ({ code }) },
  'POST /users/me/deeplink/email': { needs: ['D1', 'queues'], body: () => ({}) },
  'POST /users/me/mailbox-code': { needs: ['D1'], body: () => ({}) },
  'POST /users/me/mailbox': { needs: ['D1'], body: () => ({ digits: '123456' }) },
  'POST /users/me/other-browser-link': { needs: ['D1'], body: () => ({}) },
  'GET /users/me/guide': { needs: ['D1', 'objects'] },
  'GET /users/me/purchases': { needs: ['D1', 'objects'] },
  [`POST /users/me/subscriptions/:attempt{${uuid}}/cancel`]: {
    needs: ['D1', 'objects'],
    body: () => ({}),
  },
  [`POST /users/me/subscriptions/:attempt{${uuid}}/early-end`]: {
    needs: ['D1', 'objects'],
    body: () => ({ at: 0, back: 0 }),
  },
  [`POST /users/me/subscriptions/:attempt{${uuid}}/resume`]: {
    needs: ['D1', 'objects'],
    body: () => ({}),
  },
  'POST /users/me/withdrawal': { needs: ['D1', 'objects'], body: () => ({ attempt }) },
  'GET /polling/get-result/:id': { needs: ['objects'] },
  'GET /users/me/card': { needs: ['D1', 'objects'] },
  'POST /users/me/card': {
    needs: ['D1', 'objects'],
    body: () => ({
      key: crypto.randomUUID(),
      gateway: 'stripe',
      payment_method_nonce: 'pm_card_visa',
      agreed_amount: 0,
    }),
  },
  [`GET /users/me/card/updates/:key{${uuid}}`]: { needs: ['D1', 'objects'] },
  // Without the object D1's copy is returned; a new account has none.
  'GET /entitlements': { needs: ['D1', 'objects'] },
  [`GET /accounts/:account{${uuid}}/entitlements`]: { needs: [] },
  [`POST /users/me/subscriptions/:attempt{${uuid}}/changes`]: {
    needs: ['D1', 'objects'],
    body: () => ({ kind: 'pause' }),
  },
  [`POST /users/me/subscriptions/:attempt{${uuid}}/changes/:change{${uuid}}`]: {
    needs: ['D1', 'objects'],
    body: () => ({}),
  },
  'GET /users/me/guarantee': { needs: ['D1', 'objects'] },
  'POST /users/me/guarantee': { needs: ['D1', 'objects'], body: () => ({}) },
  'POST /users/me/invitations': {
    needs: ['D1', 'objects'],
    body: () => ({ ...question(), via: 'sms' }),
  },
  'POST /users/me/subscriptions/polling/:plan': { needs: ['D1', 'objects'], body: () => ({}) },
  'POST /users/me/subscriptions/:plan': { needs: ['D1', 'objects'], body: () => ({}) },
  'DELETE /users/me': { needs: ['D1', 'objects'] },
  'POST /users/me/delete': { needs: ['D1', 'objects'], body: () => ({}) },
};

const prefix = '/api/v1';
const routes = new Set(
  app.routes
    .filter(({ method, path }) => method !== 'ALL' && path.startsWith(prefix))
    .map(({ method, path }) => `${method} ${path.slice(prefix.length)}`),
);

const pathOf = (path: string) =>
  path
    .replaceAll(/:(attempt|account|change|id|key)\{.*?\}\}?/g, attempt)
    .replace(':plan', 'monthly_usd')
    .replace(':id', poll);

const addressOfSomebody = () => `2001:db8:${crypto.randomUUID().slice(9, 13)}::1`;

/** The results of every call, made concurrently with an account each. */
async function answers(down: Partial<Env> = {}) {
  const responses = Object.entries(calls).map(async ([route, { body }]) => {
    const { id, headers } = await newAccount();
    await verify(id);
    const [method = '', path = ''] = route.split(' ', 2);
    const init = {
      method,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'accept-language': 'en',
        'user-agent': 'Mozilla/5.0',
        'cf-connecting-ip': addressOfSomebody(),
      },
      ...(body && { body: JSON.stringify(body()) }),
    };
    const answer = await answerOf(prefix + pathOf(path), init, down);
    return [route, answer.status, answer.body] as const;
  });
  return Promise.all(responses);
}

let healthyStatuses: Map<string, number>;

beforeEach(async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
  // With full timeouts, so that a busy machine does not look like an outage.
  healthyStatuses ??= new Map((await answers()).map(([route, status]) => [route, status]));
  shortenTimers();
});
test('faults: this test covers every call of the API', () =>
  expect(Object.keys(calls).sort()).toEqual([...routes].sort()));

/** A binding that throws synchronously fails like one that rejects; the full run tests both. */
const tried = outages.filter(([, fault]) => env.FULL || fault !== 'throws');

test.each(tried)(
  'faults: %s, every call %s: the API answers in time, normally or with a 503 and a message',
  async (name, _fault, down) => {
    for (const [route, status, body] of await answers(down)) {
      const needs: string[] = calls[route]?.needs ?? [];
      const missing = needs.includes(name) || (name === 'everything' && needs.length > 0);
      expect([route, status]).toEqual([route, missing ? 503 : healthyStatuses.get(route)]);
      expect(body).not.toMatch(/at .*\.ts|is down/);
      if (!missing || route === 'POST /events') continue;
      expect(JSON.parse(body)).toEqual({
        errors: { code: expect.any(String), messages: [expect.stringMatching(/\w.*\w/)] },
      });
    }
  },
);

test.each(d1Faults)(
  'faults: %s %s: the API answers normally, or with a 503 and a message',
  async (_name, fault, down) => {
    const refused: string[] = [];
    for (const [route, status, body] of await answers(down)) {
      expect(body).not.toMatch(/at .*\.ts|is down/);
      if (status === healthyStatuses.get(route)) continue;
      refused.push(route);
      expect([route, status, calls[route]?.needs]).toEqual([
        route,
        503,
        expect.arrayContaining(['D1']),
      ]);
      expect(JSON.parse(body).errors.code).toMatch(/^\w+$/);
    }
    // A slow one may time out, depending on how busy this machine is.
    if (fault === 'is slow') return;
    expect(refused).toContain('POST /signup');
    expect(refused).not.toContain('GET /users/me/purchases');
  },
);

const ofPerson: [string, object][] = [
  ['open', {}],
  ['accept', { position }],
  ['decline', {}],
  ['stop', {}],
  ['block', { report: false }],
  ['opt-out-code', { phone: '+14155550132' }],
  ['opt-out', { digits: '123456' }],
];

test.each(outages.filter(([name, fault]) => name === 'objects' && fault !== 'throws'))(
  'faults: %s, every call %s: an invitee gets a 503 and can retry',
  async (_name, _fault, down) => {
    const response = await postInvitation((await requester()).headers, { via: 'link' });
    const { link = '' } = (await response.json()) as { link?: string };
    for (const [call, more] of ofPerson) {
      const body = JSON.stringify({ code: link.split('#')[1], ...more });
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      const answer = await answerOf(`${prefix}/invitations/${call}`, init, down);
      expect([call, answer.status, JSON.parse(answer.body).errors.code]).toEqual([
        call,
        503,
        'unavailable',
      ]);
    }
  },
);

test('faults: without faults no call is a 500', () =>
  expect([...healthyStatuses].filter(([, status]) => status === 500)).toEqual([]));
