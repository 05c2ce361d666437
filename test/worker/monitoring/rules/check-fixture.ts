import type { Check } from '../../../../worker/monitoring/rules/walks.ts';
import { minuteMs } from '../../../../worker/platform/durations.ts';

export const now = 100 * minuteMs;

/** A step of the synthetic visitor that succeeded, with changes. */
export const check = (change: Partial<Check> = {}): Check => ({
  version: 'v1',
  market: 'us',
  gateway: 'stripe',
  at: now,
  ms: 10,
  ok: true,
  step: 'provider',
  reason: '',
  bought: false,
  ...change,
});

export const failed = (step: string, change: Partial<Check> = {}) =>
  check({ ok: false, step, reason: 'status 503', ...change });
