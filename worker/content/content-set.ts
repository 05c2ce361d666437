import {
  DocumentError,
  type DocumentSet,
  type Documents,
  type Version,
} from '../documents/document-set.ts';
import type { Kv } from '../documents/kv.ts';
import { didYouMean, unusedFields } from '../documents/rules/misspellings.ts';
import { textIn } from '../platform/read-json.ts';
import { contentManifestKey, fileKey, mapName } from './content-service.ts';
import { InvalidContent, readContentManifest, readFlat, readMap } from './rules/content-schema.ts';
import { flatTexts } from './rules/flat-texts.ts';
import { applyOverrides, type Texts } from './rules/text-overrides.ts';

/** A language's built-in texts, with English for missing ones; null for an unknown language. */
export type BuiltInTexts = (language: string) => Texts | null;

const nameOf = (file: string) => file.replace(/\.json$/, '');

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

type Entries = Record<string, unknown>;

interface ContentKind {
  /** Why the Worker would refuse a document or a part of it. @throws InvalidContent */
  errors: (text: string, language: string, builtIn: BuiltInTexts) => string[];
  unused: (text: string) => string[];
  entries: (document: Entries) => [string, string][];
  none: string;
}

/** Without the other fields `content.json` is invalid. */
const optionalFields = ['claims', 'reviews', 'img', 'about'];

const claims: ContentKind = {
  errors(text) {
    readMap(text);
    return [];
  },
  unused(text) {
    const { claims, reviews } = readMap(text);
    return (
      unusedFields(JSON.parse(text), { claims: [claims], reviews: [reviews] }, optionalFields)
        // The console stores it for its own use.
        .filter(({ path }) => !path.endsWith('.english'))
        .map(({ path, reason }) => `${path}: ${reason}`)
    );
  },
  entries: (document) =>
    Object.entries(document).flatMap(([key, value]) => {
      const [list] = Array.isArray(value) ? value : [];
      return Array.isArray(list) ? claimEntries(key, list) : [];
    }),
  none: 'none',
};

const texts: ContentKind = {
  errors(text, language, builtIn) {
    const own = builtIn(language);
    if (!own) return ['this language is not supported'];
    const keys = () => Object.keys(flatTexts(own));
    return applyOverrides(readFlat(text), own, language).refused.map(
      ({ key, reason }) =>
        `${key}: ${reason}${reason === 'no such key' ? didYouMean(key, keys()) : ''}`,
    );
  },
  unused: () => [],
  entries: (document) =>
    Object.entries(document).map(([key, value]) => [key, JSON.stringify(value)]),
  none: 'built-in',
};

/** Claims and reviews have one document, texts have one for each language. */
const kindOf = (file: string) => (nameOf(file) === mapName ? claims : texts);

/** What the Worker would refuse, one line each: `de.json screens.common.terms: empty`. */
function errorsOf(documents: Documents, builtIn: BuiltInTexts): string[] {
  return Object.entries(documents).flatMap(([file, text]) => {
    try {
      const errors = kindOf(file).errors(text ?? '', nameOf(file), builtIn);
      return errors.map((error) => `${file} ${error}`);
    } catch (error) {
      if (!(error instanceof InvalidContent)) throw error;
      return [`${file}: ${error.message}`];
    }
  });
}

function entriesOf(file: string, text: string | null | undefined): Map<string, string> {
  try {
    return new Map(kindOf(file).entries(JSON.parse(text ?? '{}') as Entries));
  } catch {
    // A document that cannot be parsed has nothing to compare.
    return new Map();
  }
}

const shown = (text: string | undefined, none: string) => text?.slice(0, 120) ?? none;

/** A build without a manifest of all documents wrote each version to this prefix. */
const earlierPrefix = 'content/';

async function documentsAt(kv: Pick<Kv, 'get'>, timestamp: number, names: readonly string[]) {
  const documents: Record<string, string> = {};
  for (const name of names) {
    const text = await kv.get(fileKey(timestamp, name));
    if (text === null) throw new DocumentError(`Version ${timestamp} lacks ${name}.`);
    documents[`${name}.json`] = text;
  }
  return documents;
}

async function earlierVersions(kv: Kv): Promise<Version[]> {
  const keys = (await kv.list(earlierPrefix)).flatMap(({ name, metadata }) => {
    const [id = '', file] = name.slice(earlierPrefix.length).split('/');
    return file === undefined ? [] : [{ id, file, metadata }];
  });
  return [...Map.groupBy(keys, ({ id }) => id)].map(([id, files]) => ({
    ...{ id, time: new Date(Number(id)).toISOString(), fingerprint: '' },
    who: textIn(files[0]?.metadata, 'who') ?? 'unknown',
    // A version without files has one key without a name.
    files: files.map(({ file }) => file).filter(Boolean),
  }));
}

/** Texts by language (`de.json`), and claims and reviews (`content.json`). */
export const contentSet = (builtIn: BuiltInTexts): DocumentSet => ({
  name: 'content',
  builtIn: {},
  localDelay: 'about a minute',
  problems(documents) {
    const errors = errorsOf(documents, builtIn);
    const warnings = Object.entries(documents).flatMap(([file, text]) =>
      errors.length > 0
        ? []
        : kindOf(file)
            .unused(text ?? '')
            .map((each) => `${file} ${each}`),
    );
    return { errors, warnings };
  },
  isServed: () => true,
  restored: (earlier) => earlier,
  differences(before, after) {
    const files = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...files].flatMap((file) => {
      const [old, next] = [entriesOf(file, before[file]), entriesOf(file, after[file])];
      const { none } = kindOf(file);
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
  async writtenByHand(kv) {
    const text = await kv.getWrittenByHand(contentManifestKey);
    if (text === null) return { written: {}, over: (published) => published };
    const { timestamp, files = [] } = readContentManifest(text, Number.MAX_SAFE_INTEGER);
    const documents = await documentsAt(kv, timestamp, files);
    const written = { [contentManifestKey]: text };
    return { written, version: String(timestamp), over: () => documents };
  },
  earlierVersions,
  async readEarlier(kv, id) {
    const version = (await earlierVersions(kv)).find((each) => each.id === id);
    return version ? documentsAt(kv, Number(id), version.files) : null;
  },
});
