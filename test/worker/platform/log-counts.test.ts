import { afterEach, expect, test, vi } from 'vitest';
import type { Env } from '../../../worker/platform/env.ts';
import { UnreportedCounts } from '../../../worker/platform/log-counts.ts';

const start = Date.parse('2031-01-01T00:00:00Z');
afterEach(() => vi.useRealTimers());

/** Counts of its own: those of the isolate also count late requests of other files. */
function monitored() {
  const reports: object[] = [];
  const stub = { count: async (counts: object) => void reports.push(counts) };
  const env = { MONITOR: { getByName: () => stub } } as unknown as Env;
  return { reports, env, counts: new UnreportedCounts() };
}

test('log counts: responses alone are reported every thirty seconds, anything else within five', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const { reports, env, counts } = monitored();
  const after = async (ms: number, ...series: string[]) => {
    vi.setSystemTime(Date.now() + ms);
    for (const each of series) counts.add(each);
    await counts.report(env, false);
    return reports.splice(0);
  };
  await after(0, 'request|served');
  expect(await after(29_999, 'request|served', 'request|served|v1')).toEqual([]);
  expect(await after(1, 'request|served')).toEqual([
    { 'request|served': 2, 'request|served|v1': 1 },
  ]);
  expect(await after(4_999, 'request|served', 'request|failed')).toEqual([]);
  expect(await after(1)).toEqual([{ 'request|served': 1, 'request|failed': 1 }]);
});

test('log counts: a queue or an object reports at once, and nothing is sent twice', async () => {
  const { reports, env, counts } = monitored();
  counts.add('request|served');
  await counts.report(env, true);
  await counts.report(env, true);
  expect(reports).toEqual([{ 'request|served': 1 }]);
});
