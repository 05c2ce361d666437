import type { D1Database } from '@cloudflare/workers-types';
import type { Context } from 'hono';
import {
  contentOf,
  type DocumentStore,
  type Documents,
  type Kv,
  type Live,
  namespaceKv,
  type Version,
  writeVersion,
} from '../../documents/versioned-documents.ts';
import { type ConfigTexts, configStore } from '../../experiments/config-versions.ts';
import {
  insertCommand,
  type OperatorCommand,
  recordCommandResult,
} from '../../operators/audited-command.ts';
import type { App } from '../../platform/env.ts';
import { dropPublication, lastPublication, takePublication } from './publication-table.ts';

/** How long KV may serve an old value after a write. https://developers.cloudflare.com/kv/concepts/how-kv-works/ */
const propagationMs = 60_000;

export interface Change<D> {
  next: D;
  /** Fingerprint of the documents that the editor started from. */
  base: string;
  who: string;
  now: Date;
}

export type PublishResult<D extends Documents> =
  | { kind: 'published'; version: Version['id'] }
  /** The same documents are live already, for example after a repeated request. */
  | { kind: 'unchanged' }
  | { kind: 'invalid'; errors: string[] }
  /** Another editor published in the meantime. */
  | { kind: 'conflict'; live: Live<D> };

/** The live documents. KV may be a minute behind, so a version just published here is read directly. */
export async function liveDocuments<D extends Documents>(
  store: DocumentStore<D>,
  kv: Kv,
  db: D1Database,
  now: number,
): Promise<Live<D>> {
  const [live, last] = await Promise.all([
    store.live(kv),
    lastPublication(db, store.kind, now - 2 * propagationMs),
  ]);
  if (!last || last.fingerprint === live.fingerprint) return live;
  const documents = await store.read(kv, last.version).catch(() => null);
  return documents ? { documents, fingerprint: last.fingerprint } : live;
}

/** The live `config.json` and `flows.json`. */
export const liveConfig = (c: Context<App>): Promise<Live<ConfigTexts>> =>
  liveDocuments(configStore, namespaceKv(c.env.FUNNEL), c.env.DB, Date.now());

/** Publishes an editor's change of the live documents, unless they changed meanwhile. Idempotent. */
export async function publishDocuments<D extends Documents>(
  store: DocumentStore<D>,
  kv: Kv,
  db: D1Database,
  { next, base, who, now }: Change<D>,
): Promise<PublishResult<D>> {
  const { errors } = store.problems(next);
  if (errors.length > 0) return { kind: 'invalid', errors };
  const live = await liveDocuments(store, kv, db, now.getTime());
  if (contentOf(live.documents) === contentOf(next)) return { kind: 'unchanged' };
  if (live.fingerprint !== base) return { kind: 'conflict', live };
  const version = store.nextId(now, live);
  const fingerprint = store.fingerprintOf(next, version);
  const publication = { kind: store.kind, version, base, fingerprint };
  if (!(await takePublication(db, publication, now.getTime(), now.getTime() - propagationMs))) {
    return { kind: 'conflict', live: await liveDocuments(store, kv, db, now.getTime()) };
  }
  try {
    return {
      kind: 'published',
      version: await writeVersion(store, next, live, { kv, who, now }),
    };
  } catch (error) {
    await dropPublication(db, publication);
    throw error;
  }
}

/** Publishes as `publishDocuments`. Without an audit row nothing is published. */
export async function publishAudited<D extends Documents>(
  store: DocumentStore<D>,
  kv: Kv,
  db: D1Database,
  change: Change<D>,
  { details, reason }: Pick<OperatorCommand, 'details' | 'reason'>,
): Promise<PublishResult<D>> {
  const command = { operator: change.who, action: 'publish', target: store.kind, details, reason };
  const audit = await insertCommand(db, command, change.now.getTime());
  const record = (result: string) => recordCommandResult(db, audit, result).catch(() => {});
  try {
    const result = await publishDocuments(store, kv, db, change);
    await record(result.kind === 'published' ? `published ${result.version}` : result.kind);
    return result;
  } catch (error) {
    await record('failed');
    throw error;
  }
}
