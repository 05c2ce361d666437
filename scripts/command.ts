import { userInfo } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';

/** A command refuses or fails. The message is one sentence for the person at the terminal. */
export class CommandError extends Error {}

/** No failure was found, but not everything could be checked: exit code 2. */
export class PartialSuccess extends CommandError {}

const withExample = (command: Command, line: string) =>
  command.addHelpText('after', `\nExample:\n  ${line}`);

/**
 * The command line of an npm script. Commander answers `--help`, and suggests the nearest option or
 * subcommand for one that does not exist.
 *
 * @param name as it is typed, such as `npm run ops --`
 * @param example arguments that follow the name
 */
export const npmCommand = (name: string, description: string, example: string): Command =>
  withExample(new Command(name).description(description), `${name} ${example}`.trim());

/** @param example arguments that follow the subcommand's name */
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

export const wholeNumber = (most: number) => (text: string) => {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0 && number <= most) return number;
  throw new InvalidArgumentError(`Expected a whole number from 1 to ${most}.`);
};

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Who runs the command; some systems have no name for a user. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

/**
 * Runs a command line. A refusal is one line and exit code 1; partial success is exit code 2.
 *
 * @param expected other errors whose message is meant for the person at the terminal
 */
export async function runCommand(
  program: Command,
  ...expected: (abstract new (
    ...args: never[]
  ) => Error)[]
): Promise<void> {
  // `head` closes the pipe as soon as it has enough.
  process.stdout.on('error', () => process.exit());
  try {
    await program.parseAsync();
  } catch (error) {
    if (![CommandError, ...expected].some((kind) => error instanceof kind)) throw error;
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = error instanceof PartialSuccess ? 2 : 1;
  }
}
