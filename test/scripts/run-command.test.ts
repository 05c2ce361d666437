import { Command } from 'commander';
import { afterEach, expect, test, vi } from 'vitest';
import { CommandError, PartialSuccess } from '../../scripts/command-error.ts';
import { runCommand } from '../../scripts/run-command.ts';

const before = { argv: process.argv, code: process.exitCode };

afterEach(() => {
  vi.restoreAllMocks();
  process.argv = before.argv;
  process.exitCode = before.code;
});

test.each([
  ['nothing is wrong', undefined, before.code, ''],
  ['a refusal', new CommandError('No.'), 1, 'No.\n'],
  ['what was done in part', new PartialSuccess('Not all.'), 2, 'Not all.\n'],
])('%s has its exit code and its sentence', async (_, error, code, said) => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  process.argv = ['node', 'script', 'act'];
  const program = new Command();
  program.command('act').action(() => {
    if (error) throw error;
  });
  await runCommand(program);
  expect([process.exitCode, written.mock.calls.join('')]).toEqual([code, said]);
});
