import * as v from 'valibot';
import { soldVersionProblems, withSoldVersions } from '../catalog/rules/sold-versions.ts';
import { DocumentError, type DocumentSet, type Documents } from '../documents/document-set.ts';
import { repeatedNames } from '../documents/rules/json-entries.ts';
import { unusedFields } from '../documents/rules/misspellings.ts';
import { typedKeys } from '../platform/keys.ts';
import { fieldsIn, parsedAs } from '../platform/read-json.ts';
import { documentKeys, readableConfig } from './readable-config.ts';
import { builtInDocuments, readDocuments } from './rules/config-documents.ts';
import { reviews } from './rules/config-reviews.ts';
import type { ConfigSet, DocumentKey, Problem } from './rules/config-schema.ts';
import { validateDocuments } from './rules/config-validation.ts';
import { experimentProblems } from './rules/experiment-checks.ts';
import { fixedParts, holdoutState } from './rules/holdout.ts';
import { fieldNames, suggestion } from './rules/suggestions.ts';

/** The name of a document in forms and options: `config`, `flows`. */
export const fieldOf = (key: DocumentKey): string => key.replace('.json', '');

/** One line: `config.json variants.0.flow: no flow x`. */
const lineOf = ({ key, path, reason }: Problem) => `${key}${path && ` ${path}`}: ${reason}`;

/** With the checks of experiments, which an isolate makes only if there are some. */
export function validated(
  documents: Documents,
  production = false,
): ReturnType<typeof validateDocuments> {
  const valid = validateDocuments(documents, { production });
  const { experiments = [], holdout } = valid.set?.experiments ?? {};
  if (experiments.length === 0 && !holdout) return valid;
  const [first, ...others] = experimentProblems(readDocuments(documents, production));
  return first ? { set: null, problems: [first, ...others] } : valid;
}

/** While a holdout runs, visitors stay where they are until it ends or is removed. */
function movedMembers(
  { holdout: before }: ConfigSet['experiments'],
  { holdout: after }: ConfigSet['experiments'],
  now: number,
): Problem[] {
  if (!before || !after || holdoutState(before, now) !== 'running') return [];
  const reason = 'changes while the holdout runs, which would move visitors';
  return fixedParts.flatMap((part) =>
    before[part] === after[part]
      ? []
      : [{ key: 'experiments.json' as const, path: `holdout.${part}`, reason }],
  );
}

/** A build without a manifest wrote each version to this prefix, and then to `config.json` and `flows.json`. */
const earlierPrefix = 'config/';
const earlierVersion = v.object({
  documents: v.object({ 'config.json': v.string(), 'flows.json': v.string() }),
});

export const configSet: DocumentSet = {
  ...readableConfig,
  builtIn: builtInDocuments,
  localDelay: 'a few seconds',
  problems(documents, live) {
    const { set, problems: own } = validated(documents);
    const before = live ? validateDocuments(live).set : null;
    const broken = set && before ? soldVersionProblems(before.catalog, set.catalog) : [];
    const isRead = (name: DocumentKey) => !own.some(({ key, path }) => key === name && !path);
    const repeated = documentKeys
      .filter(isRead)
      .flatMap((key) => repeatedNames(documents[key] ?? '').map((one) => ({ key, ...one })));
    const problems = [
      ...own,
      ...repeated,
      ...broken.map((one) => ({ key: 'catalog.json' as const, ...one })),
      ...(set && before ? movedMembers(before.experiments, set.experiments, Date.now()) : []),
    ];
    const errors = problems.map((problem) =>
      lineOf({ ...problem, reason: suggestion(problem, documents) }),
    );
    if (!set || errors.length > 0) return { errors, warnings: [] };
    const unused = typedKeys(set).flatMap((name) => {
      const key = `${name}.json` as const;
      const written: unknown = JSON.parse(documents[key] ?? '{}');
      return unusedFields(written, set[name], fieldNames).map((each) => ({ key, ...each }));
    });
    const warnings = Object.values(reviews).flatMap((kind) => kind.warnings(set, before));
    return { errors, warnings: [...warnings, ...unused].map(lineOf) };
  },
  restored(earlier, live) {
    const [set, before] = [validateDocuments(earlier).set, validateDocuments(live).set];
    if (!set || !before || soldVersionProblems(before.catalog, set.catalog).length === 0)
      return earlier;
    const [written, current] = [earlier, live].map((documents) =>
      JSON.parse(documents['catalog.json'] ?? builtInDocuments['catalog.json']),
    );
    const catalog = withSoldVersions(written, current, set.catalog);
    return { ...earlier, 'catalog.json': JSON.stringify(catalog, null, 2) };
  },
  isServed: (documents) => validated(documents).set !== null,
  differences(before, after) {
    const [old, next] = [validateDocuments(before).set, validateDocuments(after).set];
    const invalid = 'The live documents are not valid. Visitors get an earlier version.';
    const changes = next ? Object.values(reviews).flatMap((kind) => kind.changes(old, next)) : [];
    return [...(old ? [] : [invalid]), ...changes];
  },
  earlierVersions: async (kv) =>
    (await kv.list(earlierPrefix)).map(({ name, metadata }) => ({
      ...{ time: 'unknown time', who: 'unknown', fingerprint: '', files: ['config', 'flows'] },
      ...fieldsIn(metadata),
      id: name.slice(earlierPrefix.length),
    })),
  async readEarlier(kv, id) {
    const text = id.length > 100 ? null : await kv.get(earlierPrefix + id);
    if (text === null) return null;
    const version = parsedAs(earlierVersion, text);
    if (!version) throw new DocumentError(`Version ${id} cannot be read.`);
    return version.documents;
  },
};
