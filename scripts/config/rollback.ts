import { builtInDocuments } from '../../worker/experiments/rules/config-documents.ts';
import type { Context } from './context.ts';
import { publishTexts } from './publish.ts';
import { publishedAs } from './versions.ts';

/** Publishes an earlier version again, or `built-in`, as a new line of the history. */
export async function rollback(
  version: string,
  options: { yes: boolean },
  context: Context,
): Promise<void> {
  const documents =
    version === 'built-in' ? builtInDocuments : (await publishedAs(context.kv, version)).documents;
  await publishTexts(documents, options, context);
}
