import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { liveTexts } from '../../../scripts/config/texts.ts';
import { wranglerKv } from '../../../scripts/kv-client.ts';
import { arm, configText, texts } from './world.ts';

const persistTo = mkdtempSync(join(tmpdir(), 'round-'));
const config = (...args: string[]) =>
  promisify(execFile)('node', ['scripts/config.ts', ...args, '--persist-to', persistTo]);

test('what is published with wrangler is in KV, letter by letter', {
  timeout: 240_000,
}, async () => {
  const pair = texts(`${configText([arm('intro/7d', 100)])}\n`, '{"flows": {}}\n\n');
  for (const [name, text] of Object.entries(pair)) writeFileSync(join(persistTo, name), text);
  const { stdout } = await config('publish', persistTo, '--yes');
  const [version] = /\d{8}-\d{6}-\d{3}/.exec(stdout) ?? [];
  expect(version).toBeDefined();
  expect(await liveTexts(wranglerKv({ remote: false, persistTo }))).toEqual(pair);
  const shown = await config('show');
  expect(shown.stdout).toContain(`version ${version}, published`);
});

test('a refusal is a sentence on the error output, and exit code 1', {
  timeout: 240_000,
}, async () => {
  const refused = config('rollback', 'nothing', '--yes');
  await expect(refused).rejects.toMatchObject({
    code: 1,
    stderr: 'There is no version nothing; see history.\n',
  });
});
