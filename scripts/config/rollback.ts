import type { Context } from './context.ts';
import { publishTexts } from './publish.ts';
import { publishedAs } from './versions.ts';

/** Publishes an earlier version again, as a new line of the history. */
export async function rollback(
  version: string,
  options: { yes: boolean },
  context: Context,
): Promise<void> {
  const { documents } = await publishedAs(context.kv, version);
  await publishTexts(documents, options, context);
}
