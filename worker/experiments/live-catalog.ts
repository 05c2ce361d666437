import { builtInCatalog, type Catalog } from '../catalog/rules/catalog.ts';
import type { Documents } from '../documents/document-set.ts';
import { kvReader } from '../documents/kv.ts';
import { readLive } from '../documents/live-documents.ts';
import type { Env } from '../platform/env.ts';
import { readableConfig } from './readable-config.ts';
import { builtInDocuments, readDocuments } from './rules/config-documents.ts';
import { validateDocuments } from './rules/config-validation.ts';

const isValid = (documents: Documents) => validateDocuments(documents).set !== null;

/** Built in while the documents are not valid. */
export const catalogIn = (documents: Documents): Catalog =>
  isValid(documents) ? readDocuments(documents).catalog : builtInCatalog;

export async function liveDocuments({ FUNNEL }: Pick<Env, 'FUNNEL'>) {
  const { documents } = await readLive(kvReader(FUNNEL), readableConfig);
  return readDocuments(isValid(documents) ? documents : builtInDocuments);
}

/** What is sold now, where no visitor's configuration is at hand, and what a provider does not sell of it. */
export async function liveSale({ FUNNEL }: Pick<Env, 'FUNNEL'>) {
  const { documents, manifest } = await readLive(kvReader(FUNNEL), readableConfig);
  return { catalog: catalogIn(documents), unsold: manifest.config?.unsold ?? {} };
}

export const liveCatalog = async (env: Pick<Env, 'FUNNEL'>): Promise<Catalog> =>
  (await liveSale(env)).catalog;
