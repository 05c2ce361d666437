import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

test('mutate: without a build the command refuses, because the tests would fail for every mutation', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'mutate-'));
  const run = spawnSync('node', [resolve('scripts/mutate.ts')], { cwd, encoding: 'utf8' });
  expect(run.status).toBe(1);
  expect(run.stderr).toContain('run "npm run build" first');
});
