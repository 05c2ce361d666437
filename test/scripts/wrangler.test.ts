import { existsSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { CommandError } from '../../scripts/command.ts';
import { type Run, withTarget, wranglerD1, wranglerKv } from '../../scripts/wrangler.ts';

const local = { remote: false, persistTo: 'state' };
const live = { ...local, remote: true };
const result =
  (code: number, stdout: string, stderr = ''): Run =>
  async () => ({ code, stdout, stderr });

describe('KV through wrangler', () => {
  test('a value is read byte for byte', async () => {
    expect(await wranglerKv(local, result(0, '{"a":1}\n\n')).get('a')).toBe('{"a":1}\n\n');
  });

  test('a missing key is null, locally and on the live site', async () => {
    expect(await wranglerKv(local, result(0, 'Value not found\n')).get('a')).toBeNull();
    const missing = '✘ [ERROR] Failed to fetch https://x/values/a - 404: Not Found\n';
    expect(await wranglerKv(live, result(1, '', missing)).get('a')).toBeNull();
  });

  test('a failure prints one sentence', async () => {
    const error = '\n\u001b[31m✘ [ERROR] You are not logged in.\u001b[0m\n\n  more\n';
    const kv = wranglerKv(live, result(1, '', error));
    const reason = new CommandError('KV could not read config.json: You are not logged in.');
    await expect(kv.get('config.json')).rejects.toEqual(reason);
    await expect(kv.put('a', '')).rejects.toThrow('KV could not write a: You are not logged in.');
    await expect(kv.list('config/')).rejects.toThrow('KV could not list config/');
  });

  test('a text is passed to wrangler in a file that is removed afterwards', async () => {
    let file = '';
    const kv = wranglerKv(local, async (args) => {
      file = args[args.indexOf('--path') + 1] ?? '';
      expect(readFileSync(file, 'utf8')).toBe('text');
      expect(args.join(' ')).toContain('--metadata {"who":"ann"} --ttl 60');
      expect(args).toEqual(expect.arrayContaining(['--local', '--persist-to', 'state', 'FUNNEL']));
      return { code: 0, stdout: '', stderr: '' };
    });
    await kv.put('a', 'text', { metadata: { who: 'ann' }, seconds: 60 });
    expect([file !== '', existsSync(file)]).toEqual([true, false]);
  });
});

describe('D1 through wrangler', () => {
  test('rows are returned by statement, locally or from the live site', async () => {
    const requested: string[] = [];
    const run: Run = async (args) => {
      requested.push(args.join(' '));
      return { code: 0, stdout: '[{"results":[{"n":1}]},{"results":[]}]', stderr: '' };
    };
    expect(await wranglerD1(local, run)('SELECT 1')).toEqual([[{ n: 1 }], []]);
    await wranglerD1(live, run)('SELECT 1');
    const command = 'd1 execute funnel --json --command SELECT 1 --config wrangler.toml';
    expect(requested).toEqual([`${command} --local --persist-to state`, `${command} --remote`]);
  });

  test('an environment has its own Worker, KV and databases', async () => {
    const requested: string[] = [];
    const run: Run = async (args) => {
      requested.push(args.join(' '));
      return { code: 0, stdout: '[]', stderr: '' };
    };
    const staging = { ...live, env: 'staging' };
    await wranglerD1(staging, run, 'funnel-analytics')('SELECT 1');
    await wranglerKv(staging, run).get('config.json');
    const file = '.cache/wrangler.staging.json';
    expect(requested).toEqual([
      `d1 execute funnel-analytics--staging --json --command SELECT 1 --config ${file} --remote`,
      `kv key get config.json --binding FUNNEL --config ${file} --remote`,
    ]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      name: 'funnel-staging',
      kv_namespaces: [{ binding: 'FUNNEL' }],
    });
  });

  test('naming an environment selects the live site', () => {
    const command = withTarget(new Command()).parse(['--env', 'staging'], { from: 'user' });
    expect(command.opts()).toMatchObject({ env: 'staging', remote: true });
  });

  const inJson = (text: string) => `\n${JSON.stringify({ error: { text } }, null, 2)}\n`;
  const noTable = 'no such table: events: SQLITE_ERROR';

  test.for([
    [
      'no such column',
      local,
      '',
      '✘ [ERROR] no such column\n',
      'D1 did not answer: no such column',
    ],
    ['SQL', local, inJson('near "SELEC": error'), '', 'D1 did not answer: near "SELEC": error'],
    ['no table here', local, inJson(noTable), '', 'There is no data in state yet. Run npm start'],
    ['no table on the live site', live, inJson(noTable), '', `D1 did not answer: ${noTable}`],
  ] as const)('a failure prints one sentence: %s', async ([, target, stdout, stderr, message]) => {
    const query = wranglerD1(target, result(1, stdout, stderr))('SELECT 1');
    await expect(query).rejects.toThrow(CommandError);
    await expect(query).rejects.toThrow(message);
  });
});
