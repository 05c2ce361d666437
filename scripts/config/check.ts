import {
  type DocumentPair,
  type Problem,
  validateDocuments,
} from '../../worker/experiments/rules/config-validation.ts';
import { CommandError } from '../command-error.ts';
import { readCandidate } from './candidate.ts';
import type { Context } from './context.ts';
import type { Source } from './source.ts';
import type { Texts } from './texts.ts';
import { warningsOf } from './warnings.ts';

/** Beyond this nobody reads on. */
const shown = 50;

/** One line: `config.json variants.0.flow: no flow x`. */
function lineOf({ key, path, reason }: Problem): string {
  return `${key}${path && ` ${path}`}: ${reason}`;
}

const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;

/**
 * Says every error and every warning.
 *
 * @returns the pair as the Worker reads it
 * @throws Refused when there is an error
 */
export function requireValid(texts: Texts, say: Context['say']): DocumentPair {
  const { 'config.json': config, 'flows.json': flows } = texts;
  const { pair, problems } = validateDocuments(config, flows);
  if (!pair) {
    for (const problem of problems.slice(0, shown)) say(`error: ${lineOf(problem)}`);
    if (problems.length > shown) say(`and ${problems.length - shown} more`);
    throw new CommandError(
      `${count(problems.length, 'error')}: visitors would keep what they have.`,
    );
  }
  const warnings = warningsOf(pair, { config: config ?? '', flows: flows ?? '' });
  for (const warning of warnings) say(`warning: ${lineOf(warning)}`);
  say(`No errors, ${count(warnings.length, 'warning')}.`);
  return pair;
}

/** Says what is wrong or doubtful in the documents that a person names. */
export async function check(source: Source, context: Context): Promise<void> {
  requireValid(await readCandidate(source, context), context.say);
}
