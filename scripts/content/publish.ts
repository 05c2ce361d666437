import { fileKey, manifestKey } from '../../worker/content/content-service.ts';
import { CommandError } from '../command-error.ts';
import type { Context } from '../config/context.ts';
import { requireValid } from './check.ts';
import { type Documents, readFolder } from './folder.ts';
import { documentsOf, liveManifest } from './published.ts';

/** A language's texts by key; claims and reviews as one. */
function entriesOf(text = '{}'): Map<string, string> {
  const entries = Object.entries(JSON.parse(text) as Record<string, unknown>);
  return new Map(entries.map(([key, value]) => [key, JSON.stringify(value)]));
}

/** What becomes different, a line each. */
function differences(before: Documents, after: Documents): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [old, next] = [entriesOf(before[name]), entriesOf(after[name])];
    const changed = [...next].filter(([key, text]) => old.get(key) !== text);
    const gone = [...old.keys()].filter((key) => !next.has(key));
    return [
      ...changed.map(([key, text]) => `${name} ${key}: ${text.slice(0, 120)}`),
      ...gone.map((key) => `${name} ${key}: back to the built-in text`),
    ];
  });
}

/** Checks, compares, asks, and writes: the documents first, then the manifest that names them. */
export async function publishDocuments(
  documents: Documents,
  { yes }: { yes: boolean },
  { kv, remote, say, confirm, now, who }: Context,
): Promise<void> {
  requireValid(documents, say);
  const live = await liveManifest(kv);
  const before = await documentsOf(kv, live.timestamp, live.files ?? []);
  const lines = differences(before, documents);
  if (lines.length === 0) return say('This is live already; nothing was written.');
  for (const line of lines) say(line);
  const where = remote ? 'on the live site' : 'on this machine';
  if (!yes && !(await confirm(`Publish this ${where}?`))) {
    throw new CommandError('Nothing was written.');
  }
  // Visitors refuse a timestamp that is not later than the one they have.
  const timestamp = Math.max(now().getTime(), live.timestamp + 1);
  for (const [name, text] of Object.entries(documents)) {
    await kv.put(fileKey(timestamp, name), text, { metadata: { who } });
  }
  await kv.put(manifestKey, JSON.stringify({ timestamp, files: Object.keys(documents) }));
  say(`Published as ${timestamp} ${where}; visitors have it within about a minute.`);
}

/** Publishes the documents of a folder, in the place of all that were published before. */
export async function publish(folder: string, options: { yes: boolean }, context: Context) {
  await publishDocuments(await readFolder(folder), options, context);
}
