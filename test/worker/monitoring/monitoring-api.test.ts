import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import type { MonitorState } from '../../../worker/monitoring/monitor-state.ts';
import type { Incident } from '../../../worker/monitoring/rules/incidents.ts';
import type { Check } from '../../../worker/monitoring/rules/walks.ts';
import { stubGateways } from '../payments/payments-fixture.ts';
import { auditOf, operate } from '../payments/webhooks/admin-client.ts';
import { request } from '../request.ts';

test('monitoring API: an operator sees walks, alarms and versions', async () => {
  const minute = Math.floor(Date.now() / 60_000);
  const monitor = env.MONITOR.getByName('monitor');
  await monitor.count({ config_refused: 1, 'request|served|v1': 3 });
  const report = { version: 'v1', checks: [], splits: [], totals: null };
  await monitor.watch({ ...report, minute: minute + 1 });
  const { status, data } = await operate('/monitoring');
  expect(status).toBe(200);
  const state = data as MonitorState & { alarms: Incident[] };
  // The object is shared by all test files, and also counts their requests.
  const refused = { kind: 'configuration_refused', area: 'configuration' };
  expect(state.alarms).toContainEqual(expect.objectContaining(refused));
  const served = { version: 'v1', served: 3, failed: 0 };
  expect(state.versions).toContainEqual(expect.objectContaining(served));
  expect(state.watchedAt).toBe((minute + 1) * 60_000);
});

test('monitoring API: an operator starts a walk, without a purchase', async () => {
  const fakes = stubGateways();
  const { data } = await operate('/monitoring/check', { buy: false });
  const { ok, checks } = data as { ok: boolean; checks: Check[] };
  expect([ok, checks.length]).toEqual([true, 10]);
  expect(fakes.captured()).toEqual([]);
});

test('monitoring API: a snooze is audited and ends by itself', async () => {
  const snooze = { area: 'payment:stripe', hours: 2, reason: 'known' };
  const { until } = (await operate('/monitoring/snooze', snooze)).data as { until: number };
  expect(Math.abs(until - Date.now() - 2 * 3_600_000)).toBeLessThan(120_000);
  expect(await auditOf('payment:stripe')).toMatchObject([{ action: 'snooze', result: 'snoozed' }]);
  const refused = await operate('/monitoring/snooze', { ...snooze, area: 'a b' });
  expect([refused.status, refused.errors?.code]).toEqual([400, 'malformed_body']);
});

test('status page: off by default, then public, without figures', async () => {
  expect((await request('/status')).status).toBe(404);
  const response = await request('/status', {}, { STATUS_PAGE: 'on' });
  expect([response.status, response.headers.get('cache-control')]).toEqual([
    200,
    'public, max-age=30',
  ]);
  expect(await response.json()).toEqual({
    checkedAt: expect.stringMatching(/^\d{4}-/),
    parts: { pages: 'works', signup: 'works', payments: 'works', email: 'works', sms: 'works' },
  });
});
