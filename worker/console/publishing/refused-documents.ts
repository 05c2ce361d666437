import type { KVNamespace } from '@cloudflare/workers-types';
import { type Kv, namespaceKv } from '../../documents/kv.ts';
import { readLive } from '../../documents/live-documents.ts';
import { configSet, validated } from '../../experiments/config-set.ts';

/** Documents in KV that were not served. */
export interface RefusedDocuments {
  /** When it was noticed, ms since 1970. */
  at: number;
  reason: string;
  /** The invalid document as it was written. */
  content: string;
}

const key = 'refused-documents';
const maxLength = 100_000;

export async function lastRefused(kv: Pick<Kv, 'get'>): Promise<RefusedDocuments | null> {
  return JSON.parse((await kv.get(key)) ?? 'null') as RefusedDocuments | null;
}

/** Stores the last refused documents with the reason, so that they stay visible after others replaced them. */
export async function recordRefused(namespace: KVNamespace, now: number): Promise<void> {
  const kv = namespaceKv(namespace);
  const { documents } = await readLive(kv, configSet);
  const [problem] = validated(documents).problems;
  const text = problem && documents[problem.key];
  // Without a text nothing was ever published, so visitors get the built-in documents.
  if (typeof text !== 'string') return;
  const reason = `${problem?.key} ${problem?.path}: ${problem?.reason}`;
  const content = text.slice(0, maxLength);
  const last = await lastRefused(kv);
  if (last?.reason === reason && last.content === content) return;
  await kv.put(key, JSON.stringify({ at: now, reason, content }));
}
