import type { D1Database } from '@cloudflare/workers-types';
import type { Context } from 'hono';
import type { DocumentSet, Documents, Version } from '../../documents/document-set.ts';
import {
  newPublication,
  publishVersion,
  UncertainPublication,
} from '../../documents/document-store.ts';
import { type Kv, namespaceKv } from '../../documents/kv.ts';
import { contentOf, fingerprintOf, type Live, readLive } from '../../documents/live-documents.ts';
import type { Manifest } from '../../documents/manifest.ts';
import { releaseOf } from '../../documents/releases.ts';
import { configSet } from '../../experiments/config-set.ts';
import { checkHoldout, frozenWithFix } from '../../experiments/holdout-fix.ts';
import { productTextErrors } from '../../experiments/product-texts.ts';
import {
  insertCommand,
  type OperatorCommand,
  recordCommandResult,
} from '../../operators/audited-command.ts';
import { askProviders, type SaleAnswer } from '../../payments/gateways/sale-check.ts';
import type { App, Env } from '../../platform/env.ts';
import { dropPublication, lastPublication, takePublication } from './publication-table.ts';

/** How long KV may serve an old value after a write. https://developers.cloudflare.com/kv/concepts/how-kv-works/ */
const propagationMs = 60_000;

export interface Change {
  next: Documents;
  /** Fingerprint of the documents that the editor started from. */
  base: string;
  who: string;
  now: Date;
  /** Asks the payment providers whether they sell what `next` offers. */
  ask?: ((live: Live) => Promise<SaleAnswer>) | undefined;
  /** Whether law or safety asks for it, so that it reaches the visitors in a holdout. */
  isFix?: boolean;
}

/** Texts sell nothing. */
export const questionOf = (set: DocumentSet, env: Env, next: Documents): Change['ask'] =>
  set.name === 'config' ? (live) => askProviders(env, live, next, true) : undefined;

export type PublishResult =
  | { kind: 'published'; version: Version['id'] }
  /** The same documents are live already, for example after a repeated request. */
  | { kind: 'unchanged' }
  | { kind: 'invalid'; errors: string[] }
  /** Temporary, if a payment provider did not answer. */
  | { kind: 'unsellable'; reason: string; isTemporary: boolean }
  /** Another editor published in the meantime. */
  | { kind: 'conflict'; live: Live };

/** The live documents. KV may be a minute behind, so a version just published here is read directly. */
export async function liveDocuments(
  set: DocumentSet,
  kv: Kv,
  db: D1Database,
  now: number,
): Promise<Live> {
  const recent: Manifest = {};
  const find = async (name: DocumentSet['name']) => {
    const last = await lastPublication(db, name, now - 2 * propagationMs);
    const release = last && (await releaseOf(kv, name, last.version).catch(() => null));
    if (release) recent[name] = release;
  };
  // A publication writes the manifest of all sets.
  await Promise.all([find('config'), find('content')]);
  return readLive(kv, set, recent);
}

/** The live `config.json` and `flows.json`. */
export const liveConfig = (c: Context<App>): Promise<Live> =>
  liveDocuments(configSet, namespaceKv(c.env.FUNNEL), c.env.DB, Date.now());

/** Visitors do not get a version whose publication stopped before its last write. */
async function finishPublication(
  set: DocumentSet,
  kv: Kv,
  { documents: next, manifest }: Live,
): Promise<PublishResult> {
  const release = manifest[set.name];
  const live = await readLive(kv, set);
  if (!release || live.manifest[set.name]?.version === release.version)
    return { kind: 'unchanged' };
  await publishVersion(kv, { set, next, live, release });
  return { kind: 'published', version: release.version };
}

/** Publishes an editor's change of the live documents, unless they changed meanwhile. Idempotent. */
export async function publishDocuments(
  set: DocumentSet,
  kv: Kv,
  db: D1Database,
  { next, base, who, now, ask, isFix = false }: Change,
): Promise<PublishResult> {
  const live = await liveDocuments(set, kv, db, now.getTime());
  const { errors } = set.problems(next, live.documents);
  if (set.name === 'config') errors.push(...(await productTextErrors(kv, next, live)));
  if (errors.length > 0) return { kind: 'invalid', errors };
  const isSame = contentOf(live.documents) === contentOf(next);
  if (!isSame && live.fingerprint !== base) return { kind: 'conflict', live };
  if (set.name === 'config') await checkHoldout(kv, next, live);
  const answer = await ask?.(live);
  const { unsold: before = {} } = live.manifest[set.name] ?? {};
  const unsold = answer?.unsold ?? before;
  if (isSame && JSON.stringify(unsold) === JSON.stringify(before))
    return finishPublication(set, kv, live);
  if (answer?.refusal)
    return { kind: 'unsellable', reason: answer.refusal, isTemporary: answer.isTemporary };
  const frozen = isFix ? await frozenWithFix(kv, set, live, next) : null;
  const publicationAt = (at: number) =>
    newPublication(set, next, live, { who, now: new Date(at), unsold, frozen });
  const { version } = publicationAt(now.getTime()).release;
  const row = { kind: set.name, version, base: live.fingerprint, fingerprint: fingerprintOf(next) };
  const takenAt = await takePublication(db, row, now.getTime(), now.getTime() - propagationMs);
  if (takenAt === null) {
    return { kind: 'conflict', live: await liveDocuments(set, kv, db, now.getTime()) };
  }
  const publication = publicationAt(takenAt);
  const taken = { ...row, version: publication.release.version };
  try {
    await publishVersion(kv, publication);
    return { kind: 'published', version: taken.version };
  } catch (error) {
    if (!(error instanceof UncertainPublication)) await dropPublication(db, taken).catch(() => {}); // The same change again takes it over.
    throw error;
  }
}

/** Publishes as `publishDocuments`. Without an audit row nothing is published. */
export async function publishAudited(
  set: DocumentSet,
  kv: Kv,
  db: D1Database,
  change: Change,
  { details, reason }: Pick<OperatorCommand, 'details' | 'reason'>,
): Promise<PublishResult> {
  const command = { operator: change.who, action: 'publish', target: set.name, details, reason };
  const audit = await insertCommand(db, command, change.now.getTime());
  const record = (result: string) => recordCommandResult(db, audit, result).catch(() => {});
  try {
    const result = await publishDocuments(set, kv, db, change);
    await record(result.kind === 'published' ? `published ${result.version}` : result.kind);
    return result;
  } catch (error) {
    await record('failed');
    throw error;
  }
}
