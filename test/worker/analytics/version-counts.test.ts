import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { countForVersion } from '../../../worker/analytics/version-counts.ts';
import { reportToMonitor } from '../../../worker/platform/log-counts.ts';

const since = Date.now() - 60_000;
const version = 'counted-version';

test('version counts: steps and slow pages are counted for the version that answered', async () => {
  const shown = (screen_name: string) => ({ name: 'screen__load', properties: { screen_name } });
  const vitals = { name: 'web_vitals', properties: { lcp: 2600, inp: 200, cls: 0.02, fcp: 9000 } };
  const named = (name: string) => ({ name, properties: {} });
  const sent = [shown('one_pager'), shown('signup'), named('lead'), named('click'), vitals];
  countForVersion(sent, version);
  countForVersion([named('lead'), named('subs_purchase_started')], version);
  countForVersion([named('lead')], undefined);
  await reportToMonitor(env, true);
  const monitor = env.MONITOR.getByName('monitor');
  const minute = Math.floor(Date.now() / 60_000) + 1;
  await monitor.watch({ minute, version, checks: [], splits: [], totals: null });
  expect((await monitor.byVersion(since))[version]).toEqual({
    visit: 1,
    signup: 2,
    pay: 1,
    lcp: 1,
    'lcp|slow': 1,
    inp: 1,
    cls: 1,
  });
});
