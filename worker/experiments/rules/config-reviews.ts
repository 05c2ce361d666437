import * as v from 'valibot';
import builtInCatalog from '../../catalog/rules/built-in-catalog.json' with { type: 'json' };
import { catalogChanges } from '../../catalog/rules/catalog-changes.ts';
import type { Documents } from '../../documents/document-set.ts';
import { typedKeys } from '../../platform/keys.ts';
import { catalogWarnings } from './catalog-warnings.ts';
import { kinds } from './config-kinds.ts';
import { type ConfigSet, type Problem, schemas } from './config-schema.ts';
import { configChanges, flowsChanges } from './document-diff.ts';
import { configWarnings, flowsWarnings } from './document-warnings.ts';
import { experimentChanges, experimentWarnings } from './experiment-review.ts';

interface KindReview {
  /** @param before the live documents, if they are valid */
  warnings: (set: ConfigSet, before: ConfigSet | null) => Problem[];
  /** What changes for visitors, one line each. */
  changes: (before: ConfigSet | null, after: ConfigSet) => string[];
  /** Whom a change affects, or one of this part of it. */
  affects: string;
  affectingPart?: string;
}

/** What a publisher reads of each kind before it is live. Apart from `kinds`, because visitors' requests never need it. */
export const reviews: { [Name in keyof ConfigSet]: KindReview } = {
  config: {
    warnings: configWarnings,
    changes: configChanges,
    affects: 'Only new visitors are assigned; returning visitors keep their variant.',
    affectingPart: 'variants',
  },
  flows: {
    warnings: flowsWarnings,
    changes: flowsChanges,
    affects: 'Everybody in a changed flow continues with its new screens.',
  },
  catalog: {
    warnings: catalogWarnings,
    changes: (before, { catalog }) =>
      catalogChanges(before?.catalog ?? v.parse(schemas.catalog, builtInCatalog), catalog),
    affects: 'Subscribers keep their prices.',
  },
  experiments: {
    warnings: experimentWarnings,
    changes: experimentChanges,
    affects:
      'Visitors who saw a variant keep it while its experiment runs; without permission for cookies only while they still belong to the group.',
  },
};

/** Whom a change of these documents affects, one sentence for each that changes. */
export function affectedBy(before: Documents, after: Documents): string[] {
  return typedKeys(reviews).flatMap((name) => {
    const { affects, affectingPart } = reviews[name];
    const [old, next] = [before, after].map((documents) => {
      const text = documents[`${name}.json`] ?? kinds[name].builtIn;
      return affectingPart ? JSON.stringify(JSON.parse(text)[affectingPart]) : text;
    });
    return old === next ? [] : affects;
  });
}
