import { env } from 'cloudflare:test';
import { Webhook } from 'standardwebhooks';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ChangeMessage } from '../../../worker/entitlements/change-consumer.ts';
import { entitlementProblems } from '../../../worker/entitlements/settings.ts';
import type { AccountId } from '../../../worker/platform/types.ts';
import { captureLogEvents, dayMs } from '../payments/payments-fixture.ts';
import { auditOf, operate } from '../payments/webhooks/admin-client.ts';
import { failingBinding } from '../payments/webhooks/webhook-fixture.ts';
import { deliverToQueue, recordingQueue } from '../queue.ts';

const secretOf = (fill: string) => `whsec_${btoa(fill.repeat(32))}`;
const [older, newer] = [secretOf('a'), secretOf('b')];
const vars = {
  ENTITLEMENT_WEBHOOK_URL: 'https://app.example/webhooks',
  ENTITLEMENT_WEBHOOK_SECRETS: `${newer} ${older}`,
};

const change = (version = 1): ChangeMessage => ({
  account: '0c5f7f0e-52d6-4f0b-8a36-3f7c2e9d1a10' as AccountId,
  version,
  active: [
    { slot: 'main', kind: 'plan', plan: 'monthly_usd', reason: 'grace', until: 1_800_000_000_000 },
  ],
  at: 1_790_000_000_000,
});

let logged = () => [] as string[];
let requests: Request[] = [];
let answer: () => Response | Promise<Response> = () => new Response(null, { status: 204 });

beforeEach(async () => {
  logged = captureLogEvents();
  requests = [];
  answer = () => new Response(null, { status: 204 });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push(new Request(url, init));
    return answer();
  });
  await env.DB.exec('DELETE FROM entitlement_endpoints');
  await env.DB.exec('DELETE FROM entitlements');
});
const send = (version = 1, attempts = 1) =>
  deliverToQueue('funnel-entitlements', [change(version)], attempts, vars);

test('entitlement webhooks: the official library verifies a message with either of two keys', async () => {
  expect(await send(3)).toMatchObject({ again: [], delay: undefined });
  const [request] = requests as [Request];
  const [body, headers] = [await request.text(), Object.fromEntries(request.headers)];
  expect([request.method, request.url, request.redirect]).toEqual([
    'POST',
    vars.ENTITLEMENT_WEBHOOK_URL,
    'manual',
  ]);
  for (const secret of [older, newer]) {
    expect(new Webhook(secret).verify(body, headers)).toEqual({
      type: 'entitlements.changed',
      timestamp: new Date(change().at).toISOString(),
      data: {
        account: change().account,
        version: 3,
        active: [
          {
            slot: 'main',
            kind: 'plan',
            plan: 'monthly_usd',
            reason: 'grace',
            until: '2027-01-15T08:00:00.000Z',
          },
        ],
      },
    });
  }
  expect(() => new Webhook(secretOf('c')).verify(body, headers)).toThrow('No matching signature');
  expect(() => new Webhook(newer).verify(body.replace('3', '4'), headers)).toThrow(
    'No matching signature',
  );
  expect(logged()).toEqual(['entitlement_change_delivered']);
});

test('entitlement webhooks: a retry has the same id and a new timestamp', async () => {
  answer = () => new Response(null, { status: 500 });
  vi.useFakeTimers({ toFake: ['Date'] });
  for (const attempts of [1, 2]) {
    expect(await send(1, attempts)).toMatchObject({ again: ['m0'] });
    vi.setSystemTime(Date.now() + 300_000);
  }
  const of = (name: string) => requests.map(({ headers }) => headers.get(name));
  expect(new Set(of('webhook-id')).size).toBe(1);
  expect(Number(of('webhook-timestamp')[1])).toBe(Number(of('webhook-timestamp')[0]) + 300);
});

test.each([
  ['an error', () => new Response(null, { status: 500 })],
  [
    'a redirect',
    () => new Response(null, { status: 302, headers: { location: 'https://other.example' } }),
  ],
  ['no answer', () => Promise.reject(new TypeError('no connection'))],
])('entitlement webhooks: %s is retried by the schedule', async (_what, reply) => {
  answer = reply;
  const delays = [];
  for (const attempts of [1, 2, 3, 8]) delays.push((await send(1, attempts)).delay ?? 0);
  const [first = 0, second = 0, third = 0, waiting] = delays;
  expect([first >= 5, first <= 6, second >= 300, second <= 330]).toEqual([true, true, true, true]);
  expect([third >= 1800, third <= 1980, waiting]).toEqual([true, true, 7200]);
  // The eighth delivery only continues to wait.
  expect(requests).toHaveLength(3);
});

test('entitlement webhooks: nothing is sent unsigned, and invalid messages are dropped', async () => {
  const wrong = { ...vars, ENTITLEMENT_WEBHOOK_SECRETS: '' };
  expect(await deliverToQueue('funnel-entitlements', [change()], 1, wrong)).toMatchObject({
    again: ['m0'],
  });
  expect(await deliverToQueue('funnel-entitlements', [{}], 1, vars)).toMatchObject({ again: [] });
  expect(await deliverToQueue('funnel-entitlements', [change()], 1)).toMatchObject({ again: [] });
  expect(requests).toEqual([]);
  expect(logged()).toEqual(['queue_failed', 'entitlement_change_malformed']);
});

test('entitlement webhooks: a delivery does not need D1', async () => {
  expect(
    await deliverToQueue('funnel-entitlements', [change()], 1, { ...vars, DB: failingBinding }),
  ).toMatchObject({
    again: [],
  });
  expect(requests).toHaveLength(1);
});

test('entitlement webhooks: after five days of failures the endpoint is disabled; a command enables it and sends the changes', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const insert = (account: string, changedAt: number) =>
    env.DB.prepare('INSERT INTO entitlements VALUES (?, 7, ?, ?)')
      .bind(account, '[]', changedAt)
      .run();
  await insert('before', Date.now() - 1);
  answer = () => new Response(null, { status: 503 });
  const began = Date.now();
  await send();
  await insert('meanwhile', Date.now());
  vi.setSystemTime(began + 5 * dayMs);
  expect((await send()).again).toEqual(['m0']);
  vi.setSystemTime(began + 5 * dayMs + 1000);
  expect((await send()).again).toEqual([]);
  expect(logged().at(-1)).toBe('entitlement_endpoint_disabled');
  // Nothing is sent any longer.
  await send(2);
  expect([requests.length, logged().at(-1)]).toEqual([3, 'entitlement_endpoint_disabled']);
  expect((await operate('/entitlement-webhook', undefined, vars)).data).toEqual({
    host: 'app.example',
    keys: 2,
    failing_since: began,
    disabled_at: began + 5 * dayMs + 1000,
  });

  const { sent, queue } = recordingQueue();
  const sendBatch = async (batch: { body: unknown }[]) =>
    void sent.push(...batch.map(({ body }) => body));
  const more = { ...vars, ENTITLEMENT_QUEUE: { ...(queue as object), sendBatch } as never };
  const resent = await operate('/entitlement-webhook', { reason: 'repaired' }, more);
  expect(resent.data).toEqual({ queued: 1, since: began, next: null });
  expect(sent).toEqual([{ account: 'meanwhile', version: 7, active: [], at: began }]);
  expect((await auditOf('entitlements')).at(-1)).toMatchObject({
    action: 'resend',
    result: 'queued 1',
  });
  answer = () => new Response(null, { status: 200 });
  expect(await send(3)).toMatchObject({ again: [] });
  expect((await operate('/entitlement-webhook', undefined, vars)).data).toMatchObject({
    failing_since: null,
  });
});

test('entitlement webhooks: one success resets the failure count; a 410 disables the endpoint at once', async () => {
  answer = () => new Response(null, { status: 500 });
  await send();
  answer = () => new Response(null, { status: 200 });
  await send();
  const { data } = await operate('/entitlement-webhook', undefined, vars);
  expect(data).toMatchObject({ failing_since: null, disabled_at: null });
  answer = () => new Response(null, { status: 410 });
  expect((await send()).again).toEqual([]);
  expect(logged().at(-1)).toBe('entitlement_endpoint_disabled');
});

test('entitlement webhooks: invalid settings are reported', () => {
  const problems = (more: object) => entitlementProblems({ ENVIRONMENT: 'production', ...more });
  expect(problems({})).toEqual([]);
  expect(problems({ ...vars, SERVER_KEY_HASHES: 'a'.repeat(64) })).toEqual([]);
  expect(problems({ ...vars, ENTITLEMENT_WEBHOOK_URL: 'http://app.example' })).toHaveLength(1);
  expect(problems({ ...vars, ENTITLEMENT_WEBHOOK_SECRETS: 'whsec_short' })).toHaveLength(1);
  expect(
    problems({ ...vars, ENTITLEMENT_WEBHOOK_SECRETS: `${older} ${newer} ${older}` }),
  ).toHaveLength(1);
  expect(problems({ SERVER_KEY_HASHES: 'sk_the_key_itself' })).toHaveLength(1);
});
