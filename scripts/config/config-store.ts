import { createHash } from 'node:crypto';
import { builtInDocuments } from '../../worker/experiments/rules/config-documents.ts';
import {
  type DocumentPair,
  type Problem,
  validateDocuments,
} from '../../worker/experiments/rules/config-validation.ts';
import { CommandError } from '../command.ts';
import {
  type Context,
  contentOf,
  type DocumentStore,
  type Version,
} from '../versioned-documents.ts';
import type { Kv } from '../wrangler.ts';
import { documentDiff } from './document-diff.ts';
import { documentKeys, liveTexts, type Texts } from './documents.ts';
import { warningsOf } from './warnings.ts';

const maxPrinted = 50;

/** One line: `config.json variants.0.flow: no flow x`. */
const lineOf = ({ key, path, reason }: Problem) => `${key}${path && ` ${path}`}: ${reason}`;

const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;

/** Prints errors and warnings. @throws CommandError when there is an error */
export function requireValid(texts: Texts, say: Context['say']): DocumentPair {
  const { 'config.json': config, 'flows.json': flows } = texts;
  const { pair, problems } = validateDocuments(config, flows);
  if (!pair) {
    for (const problem of problems.slice(0, maxPrinted)) say(`error: ${lineOf(problem)}`);
    if (problems.length > maxPrinted) say(`and ${problems.length - maxPrinted} more`);
    throw new CommandError(
      `${count(problems.length, 'error')}. The Worker would ignore these documents.`,
    );
  }
  const warnings = warningsOf(pair, { config: config ?? '', flows: flows ?? '' });
  for (const warning of warnings) say(`warning: ${lineOf(warning)}`);
  say(`No errors, ${count(warnings.length, 'warning')}.`);
  return pair;
}

const pairOf = (texts: Texts) => validateDocuments(texts['config.json'], texts['flows.json']).pair;

/** The order in which the documents are valid together at every moment, when there is one. */
export function writeOrder(live: Texts, next: Texts): (keyof Texts)[] {
  const configFirst =
    validateDocuments(next['config.json'], live['flows.json'], true).pair !== null;
  return configFirst ? [...documentKeys] : documentKeys.toReversed();
}

const prefix = 'config/';

const fingerprintOf = (texts: Texts) =>
  createHash('sha256').update(contentOf(texts)).digest('hex').slice(0, 12);

async function readVersion(kv: Kv, id: string): Promise<Texts> {
  if (id === 'built-in') return builtInDocuments;
  const text = await kv.get(prefix + id);
  if (text === null) throw new CommandError(`There is no version ${id}; see history.`);
  try {
    const { documents } = JSON.parse(text) as { documents: Texts };
    if (documentKeys.every((key) => typeof documents[key] === 'string')) return documents;
  } catch {
    // Refused below, as any other text that is not a version.
  }
  throw new CommandError(`Version ${id} cannot be read.`);
}

/** The two documents are at `config.json` and `flows.json`, each version of both at `config/<id>`. */
export const configStore: DocumentStore<Texts> = {
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
  validate: requireValid,
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
