import { globSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CommandError, runCommand } from '../../scripts/command.ts';
import { program as config } from '../../scripts/config.ts';
import { program as content } from '../../scripts/content.ts';
import { program as deploy } from '../../scripts/deploy.ts';
import { program as events } from '../../scripts/events.ts';
import { program as gallery } from '../../scripts/gallery.ts';
import { program as ops } from '../../scripts/ops.ts';
import { program as setup } from '../../scripts/setup.ts';
import { program as start } from '../../scripts/start.ts';
import { program as tests } from '../../scripts/test.ts';
import { program as bench } from '../bench/run.ts';

const programs = [start, tests, bench, deploy, setup, gallery, config, content, ops, events];
const commands = programs.flatMap((program) => [
  { program, command: program, path: [] as string[] },
  ...program.commands.map((command) => ({ program, command, path: [command.name()] })),
]);
const table = commands.map(
  (entry) => [[entry.program.name(), ...entry.path].join(' '), entry] as const,
);

let ran: string[] = [];
for (const { command } of commands) {
  command.exitOverride().configureOutput({ writeOut: () => {}, writeErr: () => {} });
  if (command.commands.length === 0) command.action(() => void ran.push(command.name()));
}

/** The output of a command line, and the command that it runs. */
function typed(program: Command, args: string[]) {
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  for (const command of [program, ...program.commands]) {
    command.configureOutput({ writeOut: write, writeErr: write });
  }
  ran = [];
  try {
    program.parse(args, { from: 'user' });
  } catch (error) {
    if ((error as { code?: string }).code === undefined) throw error;
  }
  return { text, ran };
}

/** Splits a line like a shell, with double quotes. */
const words = (line: string) =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

describe('every npm command', () => {
  test('is listed in the table', () => {
    expect(table.map(([name]) => name)).toEqual(
      expect.arrayContaining(['npm start --', 'npm run ops -- refund', 'npm run deploy --']),
    );
    expect(table.length).toBeGreaterThan(25);
  });

  test.for(table)(
    '%s --help has a description and one example',
    ([, { program, command, path }]) => {
      const { text } = typed(program, [...path, '--help']);
      expect(text).toContain('Usage: npm ');
      expect(command.description()).not.toBe('');
      expect(text.match(/^Example:$/gm)).toHaveLength(1);
    },
  );

  test.for(table)('the example of %s is a valid command line', ([, { program, path }]) => {
    const { text } = typed(program, [...path, '--help']);
    const [, line = ''] = /^Example:\n {2}(.*)$/m.exec(text) ?? [];
    expect(line.startsWith(program.name())).toBe(true);
    const { text: printed, ran } = typed(program, words(line.slice(program.name().length)));
    expect([printed, ran]).toEqual(['', [expect.any(String)]]);
  });

  test.for(table)('%s suggests an option for one that does not exist', ([, { program, path }]) => {
    const { text } = typed(program, [...path, '--hepl']);
    expect(text).toContain("unknown option '--hepl'");
    expect(text).toContain('(Did you mean --help?)');
  });
});

test.for([
  [config, ['show', '--remot'], '--remote'],
  [config, ['pubish', 'folder'], 'publish'],
  [config, ['publish', 'folder', '--yess'], '--yes'],
  [content, ['rolback', '1'], 'rollback'],
  [ops, ['dead-leters'], 'dead-letters'],
  [ops, ['refund', 'pi', '--reson', 'x'], '--reason'],
  [events, ['exprot'], 'export'],
  [start, ['--prt', '1'], '--port'],
  [gallery, ['--tehme', 'fl'], '--theme'],
  [bench, ['--round', '3'], '--rounds'],
  [tests, ['--ful'], '--full'],
  [deploy, ['--stagd'], '--staged'],
  [setup, ['strip'], 'stripe'],
] as const)('commands: $0 suggests $2', ([program, args, suggestion]) => {
  expect(typed(program, [...args]).text).toContain(`(Did you mean ${suggestion}?)`);
});

describe('documents', () => {
  const text = globSync('{*,{worker,islands,screens,scripts,test}/**/*}.md')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

  test('name npm commands that exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const named = [...text.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name]) => name);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining([...new Set(named)]));
  });

  test('name subcommands and options that exist', () => {
    const lines = [...text.matchAll(/(npm (?:run (?:-s )?)?[\w:]+ --) ([^`\n|#]+)/g)];
    const unknown = lines.flatMap(([line, typedName = '', rest = '']) => {
      const name = typedName.replace('-s ', '').replace('run test:full', 'test');
      const program = programs.find((one) => one.name() === name);
      const word = words(rest).find((each) => !/^[-[]/.test(each)) ?? '';
      const command = program?.commands.find((one) => one.name() === word);
      const options = [...(program?.options ?? []), ...(command?.options ?? [])];
      const known = options.map(({ long }) => long);
      const isKnown = command || program?.commands.length === 0 || /^--/.test(rest);
      const used = [...rest.matchAll(/--[\w-]+/g)].map(([option]) => option);
      return isKnown && used.every((option) => known.includes(option)) ? [] : [line];
    });
    expect(lines.length).toBeGreaterThan(50);
    expect(unknown).toEqual([]);
  });
});

test('commands: an unknown benchmark is refused with the names of all benchmarks', () => {
  const { text } = typed(bench, ['page']);
  expect(text).toContain(
    'Allowed choices are hurried, engines, pages, lighthouse, edge, soak, aa, costs, failover, growth, overview.',
  );
});

describe('exit codes', () => {
  const before = { argv: process.argv, code: process.exitCode };
  afterEach(() => {
    vi.restoreAllMocks();
    process.argv = before.argv;
    process.exitCode = before.code;
  });

  test.for<[string, Error | undefined, typeof before.code, string]>([
    ['success', undefined, before.code, ''],
    ['a refusal', new CommandError('No.'), 1, 'No.\n'],
  ])('%s has its exit code and its message', async ([, error, code, sentence]) => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    process.argv = ['node', 'script', 'act'];
    const program = new Command();
    program.command('act').action(() => {
      if (error) throw error;
    });
    await runCommand(program);
    expect([process.exitCode, written.mock.calls.join('')]).toEqual([code, sentence]);
  });
});
