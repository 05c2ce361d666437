import { userInfo } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import { messageOf } from '../worker/platform/log.ts';

/** The message is one sentence for the person at the terminal. */
export class CommandError extends Error {}

const withExample = (command: Command, line: string) =>
  command.addHelpText('after', `\nExample:\n  ${line}`);

/** @param name as typed, such as `npm run ops --` @param example arguments for it */
export const npmCommand = (name: string, description: string, example: string): Command =>
  withExample(new Command(name).description(description), `${name} ${example}`.trim());

export function subcommand(
  parent: Command,
  usage: string,
  description: string,
  example = '',
): Command {
  const command = parent.command(usage).description(description);
  command.configureHelp({ showGlobalOptions: true });
  return withExample(command, `${parent.name()} ${command.name()} ${example}`.trim());
}

export const wholeNumber =
  (most: number, least = 1) =>
  (text: string) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };

export const print = (line: string): void => void process.stdout.write(`${line}\n`);

export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown'; // A container may have no name for its user.
  }
}

/** Exit code 1 for a refusal, 2 for partial success. @param expected other errors meant for the terminal */
export async function runCommand(
  program: Command,
  ...expected: (abstract new (
    ...args: never[]
  ) => Error)[]
): Promise<void> {
  // `head` closes the pipe as soon as it has enough lines.
  process.stdout.on('error', () => process.exit());
  try {
    await program.parseAsync();
  } catch (error) {
    if (![CommandError, ...expected].some((kind) => error instanceof kind)) throw error;
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}
