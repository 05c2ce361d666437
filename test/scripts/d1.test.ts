import { expect, test } from 'vitest';
import { wranglerD1 } from '../../scripts/d1.ts';
import { Refused } from '../../scripts/refused.ts';
import type { Run } from '../../scripts/wrangler.ts';

const here = { remote: false, persistTo: 'state' };

test('rows come by statement, of this machine or the live site', async () => {
  const asked: string[] = [];
  const run: Run = async (args) => {
    asked.push(args.join(' '));
    return { code: 0, stdout: '[{"results":[{"n":1}]},{"results":[]}]', stderr: '' };
  };
  expect(await wranglerD1(here, run)('SELECT 1')).toEqual([[{ n: 1 }], []]);
  await wranglerD1({ ...here, remote: true }, run)('SELECT 1');
  const command = 'd1 execute funnel --json --command SELECT 1 --config wrangler.toml';
  expect(asked).toEqual([`${command} --local --persist-to state`, `${command} --remote`]);
});

test('a failure is one sentence', async () => {
  const down: Run = async () => ({ code: 1, stdout: '', stderr: '✘ [ERROR] no such table\n' });
  const reason = new Refused('D1 did not answer: no such table');
  await expect(wranglerD1(here, down)('SELECT 1')).rejects.toEqual(reason);
});
