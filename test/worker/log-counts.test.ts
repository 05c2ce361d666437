import { expect, test, vi } from 'vitest';
import type { Env } from '../../worker/env.ts';

/** With counts of its own: late requests of other files count in the shared module, and report its counts elsewhere. */
async function monitored() {
  vi.resetModules();
  const { countSeries, reportToMonitor } = await import('../../worker/log-counts.ts');
  const reports: object[] = [];
  const stub = { count: async (counts: object) => void reports.push(counts) };
  const env = { MONITOR: { getByName: () => stub } } as unknown as Env;
  return { reports, env, countSeries, reportToMonitor };
}

test('log counts: responses alone are reported every thirty seconds, anything else within five', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2031-01-01T00:00:00Z') });
  const { reports, env, countSeries, reportToMonitor } = await monitored();
  const after = async (ms: number, ...series: string[]) => {
    vi.setSystemTime(Date.now() + ms);
    for (const each of series) countSeries(each);
    await reportToMonitor(env);
    return reports.splice(0);
  };
  await after(0, 'request|served');
  expect(await after(29_999, 'request|served', 'request|served|v1')).toEqual([]);
  expect(await after(1, 'request|served')).toEqual([
    { 'request|served': 2, 'request|served|v1': 1 },
  ]);
  expect(await after(4_999, 'request|served', 'request|failed')).toEqual([]);
  expect(await after(1)).toEqual([{ 'request|served': 1, 'request|failed': 1 }]);
  vi.useRealTimers();
});

test('log counts: a queue or an object reports at once, and nothing is sent twice', async () => {
  const { reports, env, countSeries, reportToMonitor } = await monitored();
  countSeries('request|served');
  await reportToMonitor(env, true);
  await reportToMonitor(env, true);
  expect(reports).toEqual([{ 'request|served': 1 }]);
});
