import { builtInCatalog, type Catalog } from '../catalog/rules/catalog.ts';
import { readLive } from '../documents/document-store.ts';
import { kvReader } from '../documents/kv.ts';
import type { Env } from '../platform/env.ts';
import { configSet } from './config-set.ts';
import { readDocuments } from './rules/config-documents.ts';

/** What is sold now, where no visitor's configuration is at hand; built in while the documents are not valid. */
export async function liveCatalog({ FUNNEL }: Pick<Env, 'FUNNEL'>): Promise<Catalog> {
  const { documents } = await readLive(kvReader(FUNNEL), configSet);
  return configSet.isServed(documents) ? readDocuments(documents).catalog : builtInCatalog;
}
