import { createHash } from 'node:crypto';
import {
  contentOf,
  DocumentError,
  type DocumentStore,
  type Kv,
  UnknownVersion,
  type Version,
} from '../documents/versioned-documents.ts';
import { builtInDocuments } from './rules/config-documents.ts';
import { type DocumentKey, type Problem, validateDocuments } from './rules/config-validation.ts';
import { documentDiff } from './rules/document-diff.ts';
import { warningsOf } from './rules/document-warnings.ts';
import { suggestion } from './rules/suggestions.ts';

/** The text of each document; null for a missing one. */
export type ConfigTexts = Record<DocumentKey, string | null>;

export const documentKeys: readonly DocumentKey[] = ['config.json', 'flows.json'];

export async function liveTexts(kv: Pick<Kv, 'get'>): Promise<ConfigTexts> {
  const [config, flows] = [await kv.get('config.json'), await kv.get('flows.json')];
  return { 'config.json': config, 'flows.json': flows };
}

/** One line: `config.json variants.0.flow: no flow x`. */
const lineOf = ({ key, path, reason }: Problem) => `${key}${path && ` ${path}`}: ${reason}`;

const pairOf = (texts: ConfigTexts) =>
  validateDocuments(texts['config.json'], texts['flows.json']).pair;

/** The order in which the documents are valid together at every moment, if there is one. */
export function writeOrder(live: ConfigTexts, next: ConfigTexts): DocumentKey[] {
  const configFirst =
    validateDocuments(next['config.json'], live['flows.json'], true).pair !== null;
  return configFirst ? [...documentKeys] : documentKeys.toReversed();
}

const prefix = 'config/';

const fingerprintOf = (texts: ConfigTexts) =>
  createHash('sha256').update(contentOf(texts)).digest('hex').slice(0, 12);

async function readVersion(kv: Kv, id: string): Promise<ConfigTexts> {
  if (id === 'built-in') return builtInDocuments;
  // KV fails on a key of more than 512 bytes.
  const text = id.length > 100 ? null : await kv.get(prefix + id);
  if (text === null) throw new UnknownVersion(id);
  try {
    const { documents } = JSON.parse(text) as { documents: ConfigTexts };
    if (documentKeys.every((key) => typeof documents[key] === 'string')) return documents;
  } catch {
    // Refused below, like any other text that is not a version.
  }
  throw new DocumentError(`Version ${id} cannot be read.`);
}

/** The two documents are at `config.json` and `flows.json`, each version of both at `config/<id>`. */
export const configStore: DocumentStore<ConfigTexts> = {
  kind: 'config',
  fingerprintOf: (documents) => fingerprintOf(documents),
  localDelay: 'a few seconds',
  async live(kv) {
    const documents = await liveTexts(kv);
    return { documents, fingerprint: fingerprintOf(documents) };
  },
  async versions(kv) {
    const versions = (await kv.list(prefix)).map(({ name, metadata }) => ({
      time: 'unknown time',
      who: 'unknown',
      fingerprint: '',
      ...(metadata as Partial<Version> | undefined),
      id: name.slice(prefix.length),
    }));
    return versions.sort((a, b) => (a.id < b.id ? 1 : -1));
  },
  read: readVersion,
  problems(texts) {
    const { 'config.json': config, 'flows.json': flows } = texts;
    const { pair, problems } = validateDocuments(config, flows);
    const warnings = pair && warningsOf(pair, { config: config ?? '', flows: flows ?? '' });
    const errors = problems.map((problem) =>
      lineOf({ ...problem, reason: suggestion(problem, texts) }),
    );
    return { errors, warnings: (warnings ?? []).map(lineOf) };
  },
  isServed: (texts) => pairOf(texts) !== null,
  differences(before, after) {
    const [old, next] = [pairOf(before), pairOf(after)];
    const invalid = 'The live documents are not valid. Visitors get an earlier version.';
    return [...(old ? [] : [invalid]), ...(next ? documentDiff(old, next) : [])];
  },
  // Sorts by time: `20261122-101530-123`, UTC.
  nextId(now) {
    const [date = '', time = ''] = now.toISOString().replace('.', '-').split('T');
    return `${date.replaceAll('-', '')}-${time.replace(/[:Z]/g, '')}`;
  },
  writes({ id, time, who }, next, live) {
    const text = JSON.stringify({ version: id, time, who, documents: next }, null, 2);
    const metadata = { time, who, fingerprint: fingerprintOf(next) };
    return [
      { key: prefix + id, text, metadata },
      ...writeOrder(live, next).map((key) => ({ key, text: next[key] ?? '' })),
    ];
  },
};
