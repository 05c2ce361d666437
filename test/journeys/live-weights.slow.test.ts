import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { pollTimeout } from '../poll-timeout.ts';
import { newVisitor } from './new-visitor.ts';
import { journey } from './run-journey.ts';
import { startServer } from './test-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'funnel-'));

/** Assigns one variant to every new visitor. */
const config = (chosen: string) => ({
  experiment: 'live',
  variants: ['one', 'two'].map((key) => ({
    key,
    weight: key === chosen ? 100 : 0,
    flow: key === 'one' ? 'default' : 'lp11ch8',
  })),
});

async function put(chosen: string): Promise<void> {
  const file = join(folder, 'config.json');
  writeFileSync(file, JSON.stringify(config(chosen)));
  const where = ['--local', '--persist-to', folder, '--config', 'wrangler.toml'];
  const args = ['kv', 'key', 'put', 'config.json', '--path', file, '--binding', 'FUNNEL', ...where];
  await promisify(execFile)('wrangler', args);
}

journey('experiments: a weight changed in KV reaches new visitors only', async ({ browser }) => {
  const server = await startServer({ vars: {}, country: 'US', state: `${folder}/v3` });
  const flowOf = async (visit: Awaited<ReturnType<typeof newVisitor>>) => {
    await visit.open('/one_pager');
    return visit.page.locator('main').getAttribute('data-flow');
  };
  await server.configure(config('one'));
  const old = await newVisitor(browser, server, {});
  expect(await flowOf(old)).toBe('default');
  await put('two');
  const newcomer = async () => {
    const visit = await newVisitor(browser, server, {});
    const flow = await flowOf(visit);
    await visit.page.context().close();
    return flow;
  };
  await expect.poll(newcomer, { ...pollTimeout, interval: 1000 }).toBe('lp11ch8');
  expect(await flowOf(old)).toBe('default');
  await old.page.context().close();
  await server.close();
});
