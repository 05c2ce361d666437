import * as v from 'valibot';
import type { Documents } from '../../documents/document-set.ts';
import { typedKeys } from '../../platform/keys.ts';
import { kinds } from './config-kinds.ts';
import type { ConfigSet, DocumentKey, Problem } from './config-schema.ts';

const maxLength = 256 * 1024;

/** `output` may be set together with problems: then its types are right and its content is not. */
function parse(
  key: DocumentKey,
  schema: v.GenericSchema,
  text: string | null | undefined,
  abortEarly: boolean,
): { output: unknown; problems: Problem[] } {
  const refuse = (reason: string) => ({ output: null, problems: [{ key, path: '', reason }] });
  if (typeof text !== 'string') return refuse('missing');
  if (text.length > maxLength) return refuse('larger than 256 KB');
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return refuse(`not JSON (${error instanceof Error ? error.message : error})`);
  }
  const { typed, output, issues = [] } = v.safeParse(schema, document, { abortEarly });
  return {
    output: typed ? output : null,
    problems: issues.map((issue) => ({
      key,
      path: v.getDotPath(issue) ?? '',
      reason: issue.message,
    })),
  };
}

interface Checks {
  abortEarly?: boolean;
  /** Production refuses what is for tests. */
  production?: boolean;
}

export function validateDocuments(
  documents: Documents,
  { abortEarly = false, production = false }: Checks = {},
): { set: ConfigSet; problems: [] } | { set: null; problems: [Problem, ...Problem[]] } {
  const parsed = typedKeys(kinds).map((name) => {
    const { schema, isRequired, builtIn } = kinds[name];
    const key = `${name}.json` as const;
    const text = documents[key] ?? (isRequired ? null : builtIn);
    return { name, ...parse(key, schema, text, abortEarly) };
  });
  const set = Object.fromEntries(parsed.map(({ name, output }) => [name, output])) as ConfigSet;
  const between = parsed.every(({ output }) => output)
    ? Object.values(kinds).flatMap((kind) => kind.between(set, production))
    : [];
  const [first, ...others] = [...parsed.flatMap(({ problems }) => problems), ...between];
  return first ? { set: null, problems: [first, ...others] } : { set, problems: [] };
}
