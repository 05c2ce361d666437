import { env, runInDurableObject } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Monitor } from '../../../worker/monitoring/monitor-object.ts';
import type { MinuteReport } from '../../../worker/monitoring/monitor-state.ts';
import type { SeriesCounts } from '../../../worker/monitoring/rules/counts.ts';
import type { Check } from '../../../worker/monitoring/rules/walks.ts';
import type { Env } from '../../../worker/platform/env.ts';

const start = Date.UTC(2026, 8, 3, 12) / 60_000;

interface Message {
  to: 'webhook' | 'email';
  text: string;
}

/** A separate monitor, its sent messages, and simulated minutes. */
async function monitor(more: Partial<Env> = {}) {
  const stub = env.MONITOR.getByName(crypto.randomUUID());
  const messages: Message[] = [];
  const receiver = { status: 200 };
  vi.stubGlobal('fetch', async (input: string, init: RequestInit) => {
    const isMail = String(input).includes('resend');
    const body = JSON.parse(String(init.body));
    if (receiver.status !== 200) return new Response('no', { status: receiver.status });
    messages.push({ to: isMail ? 'email' : 'webhook', text: body.text });
    return isMail ? Response.json({ id: 'mail' }) : new Response('ok');
  });
  await runInDurableObject(stub, (object: Monitor) => {
    const value = {
      ...env,
      ALARM_WEBHOOK_URL: 'https://hooks.slack.test/services/secret',
      RESEND_API_KEY: 're_fake',
      EMAIL_FROM: 'Funnel <hello@example.com>',
      ...more,
    };
    Object.defineProperty(object, 'env', { value, configurable: true });
  });
  let minute = start;
  const report = (change: Partial<MinuteReport> = {}): MinuteReport => ({
    minute,
    version: 'v1',
    checks: [],
    splits: [],
    totals: null,
    ...change,
  });
  return {
    stub,
    messages,
    receiver,
    /** Advances the time. */
    async pass(minutes = 1, change: Partial<MinuteReport> = {}, tally: SeriesCounts = {}) {
      for (let at = 0; at < minutes; at += 1) {
        minute += 1;
        vi.setSystemTime(minute * 60_000);
        if (Object.keys(tally).length > 0) await stub.count(tally);
        await stub.watch(report(change));
      }
    },
    state: async () => stub.state(),
  };
}

const failing = (at: number): Check => ({
  version: 'v1',
  market: 'us',
  gateway: 'stripe',
  at,
  ms: 5,
  ok: false,
  step: 'signup',
  reason: 'status 503',
  bought: false,
});

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start * 60_000 }));

const fails = async (one: Awaited<ReturnType<typeof monitor>>, minutes: number) => {
  for (let at = 0; at < minutes; at += 1) await one.pass(1, { checks: [failing(Date.now())] });
};

test('monitor: an alarm is sent once, with its start and what to check, followed by its all-clear', async () => {
  const one = await monitor();
  await fails(one, 1);
  expect(one.messages).toEqual([]);
  await fails(one, 5);
  expect(one.messages).toHaveLength(1);
  const [{ text = '' } = {}] = one.messages;
  expect(text).toContain('ALARM: The synthetic visitor cannot reach the payment form');
  expect(text).toContain('Since 2026-09-03T12:0');
  expect(text).toContain('signup: status 503 (us stripe)');
  expect(text).toContain('Check first: ');
  await one.pass(30);
  expect(one.messages).toHaveLength(2);
  expect(one.messages[1]?.text).toMatch(/^All clear: .*\nFrom 2026-09-03T12:0.* to 2026-09-03T12:/);
});

test('monitor: a message that a channel refuses is retried, and each channel gets it once', async () => {
  const one = await monitor({ ALARM_EMAIL: 'ops@example.com' });
  one.receiver.status = 500;
  await fails(one, 3);
  expect(one.messages).toEqual([]);
  one.receiver.status = 200;
  await fails(one, 3);
  expect(one.messages.map(({ to }) => to).sort()).toEqual(['email', 'webhook']);
});

test('monitor: a snoozed area sends nothing until the snooze ends', async () => {
  const one = await monitor();
  await one.stub.snooze('step:signup', start + 10);
  await fails(one, 8);
  expect(one.messages).toEqual([]);
  await fails(one, 4);
  expect(one.messages).toHaveLength(1);
});

test('monitor: quiet hours delay alarms that can wait, but not those that stop sales', async () => {
  const one = await monitor({ ALARM_QUIET_HOURS: '11-14' });
  await one.pass(1, {}, { config_refused: 1 });
  await one.pass(1);
  expect(one.messages).toEqual([]);
  expect((await one.state()).incidents).toMatchObject([{ kind: 'configuration_refused' }]);
  await fails(one, 2);
  expect(one.messages.map(({ text }) => text.split('\n', 1)[0])).toEqual([
    'ALARM: The synthetic visitor cannot reach the payment form (us stripe)'.replace(
      ' (us stripe)',
      '',
    ),
  ]);
});

test('monitor: counts of isolates are added up, and errors are counted by version', async () => {
  const one = await monitor();
  await one.pass(
    3,
    { version: 'v2' },
    {
      'request|served|v1': 10,
      'request|served|v2': 4,
      'request|failed|v2': 2,
    },
  );
  await one.pass(1);
  expect((await one.state()).versions).toMatchObject([
    { version: 'v2', served: 12, failed: 6 },
    { version: 'v1', served: 30, failed: 0 },
  ]);
});

test('monitor: growth of the rollups counts for its minute; missing rollups are reported', async () => {
  const one = await monitor();
  const hour = Math.floor(start / 60);
  await one.pass(1, { totals: { [hour]: { 'step|visit': 100 } } });
  await one.pass(1, { totals: { [hour]: { 'step|visit': 130 } } });
  const sum = await runInDurableObject(one.stub, (_, state) =>
    [...state.storage.kv.list<SeriesCounts>({ prefix: 'minute:' })].reduce(
      (all, [, tally]) => all + (tally['step|visit'] ?? 0),
      0,
    ),
  );
  expect(sum).toBe(30);
  await one.pass(5);
  expect(one.messages.map(({ text }) => text.split('\n', 1)[0])).toEqual([
    'ALARM: Monitoring cannot read the rollups',
  ]);
});

test('monitor: a month of counts keeps four weeks of hours and three hours of minutes', async () => {
  const one = await monitor();
  await runInDurableObject(one.stub, (_, state) => {
    for (let hour = 0; hour < 31 * 24; hour += 1)
      state.storage.kv.put(`hour:${Math.floor(start / 60) - hour}`, { 'step|visit': 1 });
    for (let minute = 1; minute < 600; minute += 1)
      state.storage.kv.put(`minute:${start - minute}`, { 'step|visit': 1 });
  });
  await one.pass(1);
  const kept = await runInDurableObject(one.stub, (_, state) => [
    [...state.storage.kv.list({ prefix: 'hour:' })].length,
    [...state.storage.kv.list({ prefix: 'minute:' })].length,
  ]);
  expect(kept).toEqual([4 * 7 * 24 + 4, 190]);
});
