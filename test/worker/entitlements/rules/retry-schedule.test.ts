import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { retryDelay, stepAt } from '../../../../worker/entitlements/rules/retry-schedule.ts';

const wrangler = readFileSync('wrangler.toml', 'utf8');
const hour = 3600;

const [, retries] =
  /^queue = "funnel-entitlements"\n(?:max_batch.*\n)*max_retries = (\d+)/m.exec(wrangler) ?? [];
const maxRetries = Number(retries);

test('entitlement webhooks: ten deliveries at the times of the specification', () => {
  let elapsed = 0;
  const deliveredAt: number[] = [];
  for (let attempts = 1; attempts <= maxRetries + 1; attempts += 1) {
    const { isDelivery, delaySeconds } = stepAt(attempts);
    if (isDelivery) deliveredAt.push(elapsed);
    elapsed += delaySeconds;
  }
  // "Time since start" in the specification's table.
  const table =
    '00:00:00 00:00:05 00:05:05 00:35:05 02:35:05 07:35:05 17:35:05 31:35:05 51:35:05 75:35:05';
  const secondsOf = (text: string) => {
    const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
    return hours * hour + minutes * 60 + seconds;
  };
  expect(deliveredAt).toEqual(table.split(' ').map(secondsOf));
});

test('entitlement webhooks: the queue retries as often as the schedule has steps', () => {
  expect(stepAt(maxRetries).delaySeconds).toBeGreaterThan(0);
  expect(stepAt(maxRetries + 1).delaySeconds).toBe(0);
});

test('entitlement webhooks: a delay is at most a tenth longer, as long as the receiver asks, and fits the queue', () => {
  const now = Date.parse('2026-11-23T00:00:00Z');
  expect(retryDelay(2, null, now, 0)).toBe(300);
  expect(retryDelay(2, null, now, 1)).toBe(330);
  expect(retryDelay(1, '600', now, 0)).toBe(600);
  expect(retryDelay(1, 'Mon, 23 Nov 2026 01:00:00 GMT', now, 0)).toBe(hour);
  expect(retryDelay(1, 'soon', now, 0)).toBe(5);
  expect(retryDelay(maxRetries + 1, null, now, 0)).toBe(0);
  expect(retryDelay(9, '999999999', now, 1)).toBe(12 * hour);
});
