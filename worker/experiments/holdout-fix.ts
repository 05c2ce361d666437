import { DocumentError, type DocumentSet, type Documents } from '../documents/document-set.ts';
import type { Frozen } from '../documents/document-store.ts';
import type { KvReader } from '../documents/kv.ts';
import { type Live, readLive } from '../documents/live-documents.ts';
import { documentsOf } from '../documents/manifest.ts';
import { changesBetween, withForced } from '../documents/rules/document-changes.ts';
import { frozenRelease } from './frozen-documents.ts';
import { readableConfig } from './readable-config.ts';
import { validateDocuments } from './rules/config-validation.ts';
import type { Holdout } from './rules/experiments-schema.ts';
import { holdoutName, holdoutState } from './rules/holdout.ts';

export const holdoutIn = (documents: Documents): Holdout | undefined =>
  validateDocuments(documents).set?.experiments.holdout;

/** Whether a publication can reach a holdout, because one waits or runs. @param documents of the configuration */
export function hasHoldout(documents: Documents, now: number): boolean {
  const holdout = holdoutIn(documents);
  return holdout !== undefined && holdoutState(holdout, now) !== 'ended';
}

const problemsOf = 'The fix cannot reach the holdout';

/**
 * The holdout's documents with a change that law or safety asks for: what changes in the live documents gets the same
 * value there. Experiments are no part of them.
 * @throws DocumentError
 */
export async function frozenWithFix(
  kv: KvReader,
  set: DocumentSet,
  live: Live,
  next: Documents,
): Promise<Frozen> {
  const { manifest } = live;
  const config = set.name === 'config' ? next : (await readLive(kv, readableConfig)).documents;
  const holdout = holdoutIn(config);
  if (!holdout) throw new DocumentError(`${problemsOf}: there is none.`);
  const before = await documentsOf(kv, await frozenRelease(kv, set.name, holdout, manifest));
  const changes = changesBetween(live.documents, next).filter(
    ({ path: [file] }) => file !== 'experiments.json',
  );
  const { 'experiments.json': _, ...own } = withForced({ ...set.builtIn, ...before }, changes);
  const known = set.problems({ ...set.builtIn, ...before }).errors;
  const error = set.problems(own).errors.find((each) => !known.includes(each));
  if (error) throw new DocumentError(`${problemsOf}: ${error}.`);
  return { holdout: holdoutName(holdout), documents: own };
}

/** @throws DocumentError if a new holdout names a version that cannot be read, or no texts while some are published */
export async function checkHoldout(kv: KvReader, next: Documents, live: Live): Promise<void> {
  const holdout = holdoutIn(next);
  if (!holdout || JSON.stringify(holdoutIn(live.documents)) === JSON.stringify(holdout)) return;
  const { manifest } = live;
  if (holdout.texts === undefined && manifest.content)
    throw new DocumentError(
      `The holdout lacks texts; the live ones are ${manifest.content.version}.`,
    );
  for (const set of ['config', 'content'] as const)
    await documentsOf(kv, await frozenRelease(kv, set, holdout, manifest));
}
