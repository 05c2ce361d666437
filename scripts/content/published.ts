import { fileKey, manifestKey } from '../../worker/content/content-service.ts';
import { type Manifest, readManifest } from '../../worker/content/rules/content-schema.ts';
import { CommandError } from '../command-error.ts';
import type { Kv } from '../kv-client.ts';
import type { Documents } from './folder.ts';

/** What is published now; timestamp 0 when nothing is. */
export async function liveManifest(kv: Kv): Promise<Manifest> {
  const text = await kv.get(manifestKey);
  return text === null ? { timestamp: 0, files: [] } : readManifest(text, Number.MAX_SAFE_INTEGER);
}

/** The documents of a publication. @throws Refused when one is missing */
export async function documentsOf(kv: Kv, timestamp: number, files: readonly string[]) {
  const documents: Record<string, string> = {};
  for (const name of files) {
    const text = await kv.get(fileKey(timestamp, name));
    if (text === null) throw new CommandError(`Version ${timestamp} lacks ${name}.`);
    documents[name] = text;
  }
  return documents as Documents;
}
