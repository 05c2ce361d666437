import { soldVersionProblems } from '../catalog/rules/sold-versions.ts';
import type { Documents } from '../documents/document-set.ts';
import { InvalidDocument } from './rules/config-documents.ts';
import { validateDocuments } from './rules/config-validation.ts';

/** @throws InvalidDocument if a catalog that was written by hand changes what was published, which may have been sold */
export function requireSoldVersions(written: Documents, published: Documents): void {
  const [after, before] = [validateDocuments(written).set, validateDocuments(published).set];
  const [first] = after && before ? soldVersionProblems(before.catalog, after.catalog) : [];
  if (first) throw new InvalidDocument('catalog.json', `${first.path}: ${first.reason}`);
}
