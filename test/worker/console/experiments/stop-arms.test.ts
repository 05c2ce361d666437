import { env } from 'cloudflare:test';
import { beforeEach, expect, test, vi } from 'vitest';
import { stopHarmfulArms } from '../../../../worker/console/experiments/stop-arms.ts';
import { readVersions } from '../../../../worker/documents/document-store.ts';
import { namespaceKv } from '../../../../worker/documents/kv.ts';
import { readLive } from '../../../../worker/documents/live-documents.ts';
import { configSet } from '../../../../worker/experiments/config-set.ts';
import { arm, configText, texts } from '../../../scripts/config/command-context.ts';

const kv = namespaceKv(env.FUNNEL);
const minuteMs = 60_000;
const tenth = 10 * minuteMs;
const now = Math.floor(Date.now() / tenth) * tenth;
const run = (sql: string) => env.ANALYTICS.prepare(sql).run();

const headline = {
  ...{ id: 'headline', hypothesis: 'h', metric: 'purchases' },
  variants: [
    { key: 'control', weight: 50 },
    { key: 'b', weight: 50 },
  ],
};
const written = {
  ...texts(configText([arm('a', 50), arm('b', 50)])),
  'experiments.json': JSON.stringify({ experiments: [headline] }),
};

/** 1,000 visitors and attempts of each arm. @param declined of an arm, by experiment and arm */
async function insertPayments(declined: Record<string, number>): Promise<void> {
  for (const table of ['slices', 'days', 'hours', 'payments']) await run(`DELETE FROM ${table}`);
  const hour = now - (now % (60 * minuteMs));
  const names = ['e:a', 'e:b', 'headline:control', 'headline:b'];
  for (const [id, name] of names.entries()) {
    const [experiment, variant] = name.split(':');
    const step = experiment === 'e' ? '' : 'test:';
    const payment = (what: string, count: number) =>
      run(
        `INSERT INTO payments VALUES (${hour}, '${step}${what}', 'stripe', 'main', '', 'USD', '', ${id}, ${count}, 0, 0)`,
      );
    await run(
      `INSERT INTO slices VALUES (${id}, '', '${experiment}', '${variant}', '', '', '', '', '')`,
    );
    await run(`INSERT INTO hours VALUES (${hour}, '${step}exposure', '', 0, ${id}, 1000, 1000)`);
    await payment('attempt', 1000);
    await payment('declined', declined[name] ?? 100);
  }
}

beforeEach(async () => {
  for (const key of await kv.list('')) await env.FUNNEL.delete(key.name);
  for (const table of ['config_publications', 'audit'])
    await env.DB.prepare(`DELETE FROM ${table}`).run();
  for (const [key, text] of Object.entries(written)) await env.FUNNEL.put(key, text);
});

const weights = async () => {
  const { documents } = await readLive(kv, configSet);
  const { variants } = JSON.parse(documents['config.json'] ?? '');
  const { experiments } = JSON.parse(documents['experiments.json'] ?? '');
  return [variants, experiments[0].variants].map((all: { weight: number }[]) =>
    all.map(({ weight }) => weight),
  );
};
const half = [50, 50];
const log = vi.fn();
const watch = (at = now) => stopHarmfulArms(env, at, log);
const audit = async () =>
  (await env.DB.prepare('SELECT operator, reason, result FROM audit').all()).results;

test('guardrail: arms of equal rates go on, and nothing is published', async () => {
  await insertPayments({ 'e:b': 115, 'headline:b': 90 });
  await watch();
  expect([await weights(), await audit()]).toEqual([[half, half], []]);
});

test('guardrail: an arm of the split and one beside it are stopped by one version, with an audit entry, and only every ten minutes', async () => {
  await insertPayments({ 'e:b': 300, 'headline:b': 400 });
  await watch(now + minuteMs);
  expect(await weights()).toEqual([half, half]);
  await watch();
  expect(await weights()).toEqual([
    [100, 0],
    [100, 0],
  ]);
  const [newest] = await readVersions(kv, configSet);
  expect(newest?.who).toBe('guardrail');
  const reason = expect.stringContaining('Declines per attempt of headline:b are worse');
  const result = expect.stringMatching(/^published /);
  expect(await audit()).toEqual([{ operator: 'guardrail', reason, result }]);
  const stopped = { name: 'headline', arm: 'b', state: 'published' };
  expect(log).toHaveBeenCalledWith('warn', 'arm_stopped', stopped);
});

test('guardrail: an arm that somebody started again is not stopped a second time', async () => {
  await insertPayments({ 'headline:b': 400 });
  await watch();
  expect(await weights()).toEqual([half, [100, 0]]);
  await env.FUNNEL.put('experiments.json', written['experiments.json']);
  await watch(now + tenth);
  expect(await weights()).toEqual([half, half]);
  expect(await audit()).toHaveLength(1);
});
