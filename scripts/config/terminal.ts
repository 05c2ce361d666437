import { confirm } from '@clack/prompts';
import { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import { wranglerKv } from '../kv-client.ts';
import { userName } from '../user-name.ts';
import type { Target } from '../wrangler.ts';
import type { Context } from './context.ts';

/** A command line about what KV holds: on this machine, or with `--remote` on the live site. */
export const kvCommand = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .option('--remote', 'the live site, instead of this machine', false)
    .option('--persist-to <folder>', 'where this machine keeps its KV', '.wrangler/state')
    .configureHelp({ showGlobalOptions: true });

/** Where a command line looks. */
export const targetOf = (program: Command) => program.opts<Target>();

async function ask(message: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new CommandError('Nobody can be asked here: add --yes.');
  return (await confirm({ message, initialValue: false })) === true;
}

/** The world around a command: KV, this terminal, this clock, this user. */
export function contextOf(program: Command): Context {
  const { remote, persistTo } = targetOf(program);
  return {
    kv: wranglerKv({ remote, persistTo }),
    remote,
    say: (line) => process.stdout.write(`${line}\n`),
    confirm: ask,
    now: () => new Date(),
    who: userName(),
  };
}
