import type { Command } from 'commander';
import { CommandError, PartialSuccess } from './command-error.ts';

/**
 * Runs a command line to its end. What it will not or can not do is one line and exit code 1, and what
 * it did in part exit code 2.
 *
 * @param told errors, other than `Refused`, whose message is meant for who typed it
 */
export async function runCommand(
  program: Command,
  ...told: (abstract new (
    ...args: never[]
  ) => Error)[]
): Promise<void> {
  // Who reads through `head` has seen enough.
  process.stdout.on('error', () => process.exit());
  try {
    await program.parseAsync();
  } catch (error) {
    const expected = [CommandError, ...told].some((kind) => error instanceof kind);
    if (!expected) throw error;
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = error instanceof PartialSuccess ? 2 : 1;
  }
}
