import { expect, test } from 'vitest';
import { CommandError } from '../../scripts/command-error.ts';
import { wranglerD1 } from '../../scripts/d1-client.ts';
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
  const down: Run = async () => ({ code: 1, stdout: '', stderr: '✘ [ERROR] no such column\n' });
  const reason = new CommandError('D1 did not answer: no such column');
  await expect(wranglerD1(here, down)('SELECT 1')).rejects.toEqual(reason);
});

test('what wrangler says in JSON is read; without tables it says what to do', async () => {
  const said = (text: string): Run => {
    const stdout = `\n${JSON.stringify({ error: { text } }, null, 2)}\n`;
    return async () => ({ code: 1, stdout, stderr: '' });
  };
  const refusal = async (text: string, place = here) =>
    wranglerD1(
      place,
      said(text),
    )('SELECT 1').then(
      () => null,
      ({ message }: Error) => message,
    );
  expect(await refusal('near "SELEC": syntax error')).toBe(
    'D1 did not answer: near "SELEC": syntax error',
  );
  const none = 'no such table: events: SQLITE_ERROR';
  expect(await refusal(none)).toBe(
    'There is nothing in state yet: run npm start once, or ask the live site with --remote.',
  );
  expect(await refusal(none, { ...here, remote: true })).toBe(`D1 did not answer: ${none}`);
});
