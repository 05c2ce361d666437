import type { Context } from 'hono';
import type { Documents } from '../../documents/document-set.ts';
import { configSet, fieldOf } from '../../experiments/config-set.ts';
import { documentKeys } from '../../experiments/readable-config.ts';
import { builtInDocuments } from '../../experiments/rules/config-documents.ts';
import type { App } from '../../platform/env.ts';
import { consolePage } from '../parts/console-response.tsx';
import { readForm } from '../parts/form-fields.ts';
import { documentsIn, reviewDocuments } from '../publishing/config-change.tsx';
import { liveConfig } from '../publishing/publish-documents.ts';
import { lineIn, pathParts, withLine } from './rules/document-lines.ts';
import { EditDocuments } from './screens/documents.tsx';

interface Sent {
  documents: Documents;
  base: string;
  problems: readonly string[];
}

async function documentsPage(c: Context<App>, sent?: Sent): Promise<Response> {
  const live = await liveConfig(c);
  const { documents, base, problems } = sent ?? {
    documents: live.documents,
    base: live.fingerprint,
    problems: [],
  };
  const texts = documentKeys.map((key) => {
    const text = documents[key] ?? builtInDocuments[key];
    const wrong = problems.map((problem) => lineIn(problem, key)).filter((line) => line > 0);
    return { key, field: fieldOf(key), text, parts: pathParts(text), wrong };
  });
  return consolePage(
    c,
    <EditDocuments documents={texts} base={base} problems={problems} />,
    problems.length > 0 ? 422 : 200,
  );
}

async function typedIn(c: Context<App>) {
  const fields = await readForm(c);
  return { documents: documentsIn(fields), base: fields.get('base') ?? '' };
}

export const editDocuments = (c: Context<App>): Promise<Response> => documentsPage(c);

export const returnToDocuments = async (c: Context<App>): Promise<Response> =>
  documentsPage(c, { ...(await typedIn(c)), problems: [] });

export async function reviewTypedDocuments(c: Context<App>): Promise<Response> {
  const [{ documents, base }, live] = [await typedIn(c), await liveConfig(c)];
  const { errors } = configSet.problems(documents, live.documents);
  const problems = errors.map((each) => withLine(each, documents));
  if (problems.length > 0) return documentsPage(c, { documents, base, problems });
  return reviewDocuments(c, documents, base, { from: 'documents', flow: '' });
}
