import type { D1Database } from '@cloudflare/workers-types';
import {
  contentOf,
  type Kv,
  type Live,
  type Version,
  writeVersion,
} from '../documents/versioned-documents.ts';
import { type ConfigTexts, configStore, fingerprintOf } from '../experiments/config-versions.ts';
import { dropPublication, lastPublication, takePublication } from './publication-table.ts';

/** How long KV may serve an old value after a write. https://developers.cloudflare.com/kv/concepts/how-kv-works/ */
const propagationMs = 60_000;

interface Change {
  next: ConfigTexts;
  /** Fingerprint of the documents that the editor started from. */
  base: string;
  who: string;
  now: Date;
}

export type PublishResult =
  | { kind: 'published'; version: Version['id'] }
  /** The same documents are live already, for example after a repeated request. */
  | { kind: 'unchanged' }
  | { kind: 'invalid'; errors: string[] }
  /** Somebody else published since. */
  | { kind: 'conflict'; live: Live<ConfigTexts> };

/** The live documents. KV may be a minute behind, so a version published here meanwhile is read itself. */
export async function liveConfig(kv: Kv, db: D1Database, now: number): Promise<Live<ConfigTexts>> {
  const [live, last] = await Promise.all([
    configStore.live(kv),
    lastPublication(db, now - 2 * propagationMs),
  ]);
  if (!last || last.fingerprint === live.fingerprint) return live;
  const documents = await configStore.read(kv, last.version).catch(() => null);
  return documents ? { documents, fingerprint: last.fingerprint } : live;
}

/** Publishes what an editor made of the live documents, unless they changed meanwhile. Idempotent. */
export async function publishConfig(
  kv: Kv,
  db: D1Database,
  { next, base, who, now }: Change,
): Promise<PublishResult> {
  const { errors } = configStore.problems(next);
  if (errors.length > 0) return { kind: 'invalid', errors };
  const live = await liveConfig(kv, db, now.getTime());
  if (contentOf(live.documents) === contentOf(next)) return { kind: 'unchanged' };
  if (live.fingerprint !== base) return { kind: 'conflict', live };
  const version = configStore.nextId(now, live);
  const publication = { version, base, fingerprint: fingerprintOf(next) };
  if (!(await takePublication(db, publication, now.getTime(), now.getTime() - propagationMs))) {
    return { kind: 'conflict', live: await liveConfig(kv, db, now.getTime()) };
  }
  try {
    return {
      kind: 'published',
      version: await writeVersion(configStore, next, live, { kv, who, now }),
    };
  } catch (error) {
    await dropPublication(db, version);
    throw error;
  }
}
