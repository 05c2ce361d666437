import { didYouMean } from '../documents/rules/misspellings.ts';
import {
  DocumentError,
  type DocumentStore,
  type Documents,
  type Kv,
  UnknownVersion,
  type Version,
} from '../documents/versioned-documents.ts';
import { fileKey, manifestKey, mapName } from './content-service.ts';
import {
  InvalidContent,
  type Manifest,
  readFlat,
  readManifest,
  readMap,
} from './rules/content-schema.ts';
import { flatTexts } from './rules/flat-texts.ts';
import { applyOverrides, type Texts } from './rules/text-overrides.ts';

/** A language's built-in texts, with English for missing ones; null for an unknown language. */
export type BuiltInTexts = (language: string) => Texts | null;

const nameOf = (file: string) => file.replace(/\.json$/, '');

function problemsIn(name: string, text: string, builtIn: BuiltInTexts): string[] {
  if (name === mapName) {
    readMap(text);
    return [];
  }
  const texts = builtIn(name);
  if (!texts) return ['this language is not supported'];
  const keys = () => Object.keys(flatTexts(texts));
  return applyOverrides(readFlat(text), texts, name).refused.map(({ key, reason }) => {
    return `${key}: ${reason}${reason === 'no such key' ? didYouMean(key, keys()) : ''}`;
  });
}

/** What the Worker would refuse, one line each: `de.json screens.common.terms: empty`. */
function problemsOf(documents: Documents, builtIn: BuiltInTexts): string[] {
  return Object.entries(documents).flatMap(([file, text]) => {
    try {
      return problemsIn(nameOf(file), text ?? '', builtIn).map((problem) => `${file} ${problem}`);
    } catch (error) {
      if (!(error instanceof InvalidContent)) throw error;
      return [`${file}: ${error.message}`];
    }
  });
}

interface Named {
  language?: string;
  source?: string;
  name?: string;
  text?: string;
}

/** Each claim and review by language, source and name; duplicates are numbered. */
function claimEntries(key: string, list: readonly Named[]): [string, string][] {
  const seen = new Map<string, number>();
  return list.map(({ language, source, name, text, ...more }) => {
    const base = [key, language, ...(name ? [name] : []), `(${source})`].join(' ');
    const count = (seen.get(base) ?? 0) + 1;
    seen.set(base, count);
    const picture = Object.entries(more).filter(([field]) => field !== 'english');
    const value = picture.length > 0 ? { text, ...Object.fromEntries(picture) } : text;
    return [count > 1 ? `${base} ${count}` : base, JSON.stringify(value)];
  });
}

function entriesOf(file: string, text: string | null | undefined): Map<string, string> {
  try {
    const entries = Object.entries(JSON.parse(text ?? '{}') as Record<string, unknown>);
    if (file === `${mapName}.json`) {
      return new Map(
        entries.flatMap(([key, value]) => {
          const [list] = Array.isArray(value) ? value : [];
          return Array.isArray(list) ? claimEntries(key, list) : [];
        }),
      );
    }
    return new Map(entries.map(([key, value]) => [key, JSON.stringify(value)]));
  } catch {
    return new Map();
  }
}

const shown = (text: string | undefined, none: string) => text?.slice(0, 120) ?? none;

const prefix = 'content/';

/** Timestamp 0 when nothing is published. */
async function liveManifest(kv: Kv): Promise<Manifest> {
  const text = await kv.get(manifestKey);
  return text === null ? { timestamp: 0, files: [] } : readManifest(text, Number.MAX_SAFE_INTEGER);
}

async function documentsAt(kv: Kv, timestamp: number, names: readonly string[]) {
  const documents: Record<string, string> = {};
  for (const name of names) {
    const text = await kv.get(fileKey(timestamp, name));
    if (text === null) throw new DocumentError(`Version ${timestamp} lacks ${name}.`);
    documents[`${name}.json`] = text;
  }
  return documents;
}

async function versions(kv: Kv): Promise<Version[]> {
  const found = new Map<string, Version & { files: string[] }>();
  for (const { name, metadata } of await kv.list(prefix)) {
    const [id = '', file] = name.slice(prefix.length).split('/');
    if (file === undefined) continue;
    const { who = 'unknown' } = (metadata ?? {}) as { who?: string };
    const time = new Date(Number(id)).toISOString();
    const version = found.get(id) ?? { id, time, who, fingerprint: id, files: [] };
    if (file) version.files.push(file);
    found.set(id, version);
  }
  return [...found.values()].sort((a, b) => Number(b.id) - Number(a.id));
}

/** Documents are at `content/<timestamp>/<name>`; the manifest names the live timestamp. */
export const contentVersions = (builtIn: BuiltInTexts): DocumentStore<Documents> => ({
  kind: 'content',
  fingerprintOf: (_documents, id) => id,
  localDelay: 'about a minute',
  versions,
  async live(kv) {
    const { timestamp, files = [] } = await liveManifest(kv);
    const documents = await documentsAt(kv, timestamp, files);
    return { documents, fingerprint: String(timestamp) };
  },
  async read(kv, id) {
    // Without published texts visitors get the built-in ones.
    if (id === 'built-in') return {};
    const version = (await versions(kv)).find((each) => each.id === id);
    if (!version) throw new UnknownVersion(id);
    return documentsAt(kv, Number(id), version.files ?? []);
  },
  problems: (documents) => ({ errors: problemsOf(documents, builtIn), warnings: [] }),
  isServed: () => true,
  differences(before, after) {
    const files = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...files].flatMap((file) => {
      const [old, next] = [entriesOf(file, before[file]), entriesOf(file, after[file])];
      const none = file === `${mapName}.json` ? 'none' : 'built-in';
      const changed = [...next].filter(([key, text]) => old.get(key) !== text);
      const removed = [...old].filter(([key]) => !next.has(key));
      return [
        ...changed.map(
          ([key, text]) => `${file} ${key}: ${shown(old.get(key), none)} → ${shown(text, none)}`,
        ),
        ...removed.map(([key, text]) => `${file} ${key}: ${shown(text, none)} → ${none}`),
      ];
    });
  },
  // The Worker refuses a timestamp that is not later than its current one.
  nextId: (now, live) => String(Math.max(now.getTime(), Number(live.fingerprint) + 1)),
  writes({ id, who }, next) {
    const names = Object.keys(next).map(nameOf);
    // A version without files gets one entry without a name, so that the history lists it.
    const files = names.length > 0 ? Object.entries(next) : [['', '{}'] as const];
    return [
      ...files.map(([file, text]) => ({
        key: fileKey(Number(id), nameOf(file)),
        text: text ?? '',
        metadata: { who },
      })),
      { key: manifestKey, text: JSON.stringify({ timestamp: Number(id), files: names }) },
    ];
  },
});
