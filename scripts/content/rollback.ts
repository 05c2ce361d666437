import { CommandError } from '../command-error.ts';
import type { Context } from '../config/context.ts';
import { publishDocuments } from './publish.ts';
import { documentsOf } from './published.ts';
import { versionsOf } from './versions.ts';

/** Publishes an earlier version again, as a new one. */
export async function rollback(version: string, options: { yes: boolean }, context: Context) {
  const found = (await versionsOf(context.kv)).find(
    ({ timestamp }) => String(timestamp) === version,
  );
  if (!found) throw new CommandError(`There is no version ${version}; see history.`);
  const documents = await documentsOf(context.kv, found.timestamp, found.files);
  await publishDocuments(documents, options, context);
}
