import { CommandError } from '../command-error.ts';
import type { Context } from '../config/context.ts';
import { type Documents, readFolder } from './folder.ts';
import { problemsOf } from './problems.ts';

/** Says every error. @throws Refused when there is one */
export function requireValid(documents: Documents, say: Context['say']): void {
  const problems = problemsOf(documents);
  for (const problem of problems) say(`error: ${problem}`);
  if (problems.length > 0)
    throw new CommandError(`${problems.length} errors; nothing was written.`);
  say(`No errors in ${Object.keys(documents).join(', ')}.`);
}

/** Says what is wrong in the documents of a folder. */
export async function check(folder: string, { say }: Pick<Context, 'say'>): Promise<void> {
  requireValid(await readFolder(folder), say);
}
