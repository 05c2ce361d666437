import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CommandError } from '../../scripts/command-error.ts';
import { wranglerKv } from '../../scripts/kv-client.ts';
import type { Run } from '../../scripts/wrangler.ts';

const here = { remote: false, persistTo: 'state' };
const answer =
  (code: number, stdout: string, stderr = ''): Run =>
  async () => ({ code, stdout, stderr });

test('a value comes back letter by letter', async () => {
  expect(await wranglerKv(here, answer(0, '{"a":1}\n\n')).get('a')).toBe('{"a":1}\n\n');
});

test('a key that is missing is null, here and on the live site', async () => {
  expect(await wranglerKv(here, answer(0, 'Value not found\n')).get('a')).toBeNull();
  const gone = answer(1, '', '✘ [ERROR] Failed to fetch https://x/values/a - 404: Not Found\n');
  expect(await wranglerKv({ ...here, remote: true }, gone).get('a')).toBeNull();
});

test('a failure is one sentence', async () => {
  const down = answer(1, '', '\n\u001b[31m✘ [ERROR] You are not logged in.\u001b[0m\n\n  more\n');
  const kv = wranglerKv({ ...here, remote: true }, down);
  const reason = new CommandError('KV did not give config.json: You are not logged in.');
  await expect(kv.get('config.json')).rejects.toEqual(reason);
  await expect(kv.put('a', '')).rejects.toThrow('KV did not take a: You are not logged in.');
  await expect(kv.list('config/')).rejects.toThrow('KV did not list config/');
});

test('a text is given to wrangler in a file that does not stay', async () => {
  let file = '';
  const kv = wranglerKv(here, async (args) => {
    file = args[args.indexOf('--path') + 1] ?? '';
    expect(readFileSync(file, 'utf8')).toBe('text');
    expect(args.join(' ')).toContain('--metadata {"who":"ann"} --ttl 60');
    expect(args).toEqual(expect.arrayContaining(['--local', '--persist-to', 'state', 'FUNNEL']));
    return { code: 0, stdout: '', stderr: '' };
  });
  await kv.put('a', 'text', { metadata: { who: 'ann' }, seconds: 60 });
  expect([file !== '', existsSync(file)]).toEqual([true, false]);
});
