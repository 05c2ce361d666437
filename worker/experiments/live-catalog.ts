import { builtInCatalog, type Catalog } from '../catalog/rules/catalog.ts';
import type { Documents } from '../documents/document-set.ts';
import { readLive } from '../documents/document-store.ts';
import { kvReader } from '../documents/kv.ts';
import type { Env } from '../platform/env.ts';
import { configSet } from './config-set.ts';
import { readDocuments } from './rules/config-documents.ts';

/** Built in while the documents are not valid. */
export const catalogIn = (documents: Documents): Catalog =>
  configSet.isServed(documents) ? readDocuments(documents).catalog : builtInCatalog;

/** What is sold now, where no visitor's configuration is at hand. */
export const liveCatalog = async ({ FUNNEL }: Pick<Env, 'FUNNEL'>): Promise<Catalog> =>
  catalogIn((await readLive(kvReader(FUNNEL), configSet)).documents);
