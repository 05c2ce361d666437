import {
  type DocumentPair,
  validateDocuments,
} from '../../worker/experiments/rules/config-validation.ts';
import { readCandidate } from './candidate.ts';
import { requireValid } from './check.ts';
import type { Context } from './context.ts';
import { documentDiff } from './document-diff.ts';
import type { Source } from './source.ts';
import { liveTexts, type Texts } from './texts.ts';

/** Says what a pair changes for visitors. */
export function printDifferences(live: Texts, next: DocumentPair, say: Context['say']): void {
  const before = validateDocuments(live['config.json'], live['flows.json']);
  if (!before.pair) say('What is live is not valid: visitors have an earlier pair.');
  const lines = documentDiff(before.pair, next);
  for (const line of lines) say(line);
  if (lines.length === 0) say('Nothing changes for visitors.');
}

/** Checks the documents that a person names, and compares them with what is live. */
export async function diff(source: Source, context: Context): Promise<void> {
  const next = requireValid(await readCandidate(source, context), context.say);
  printDifferences(await liveTexts(context.kv), next, context.say);
}
