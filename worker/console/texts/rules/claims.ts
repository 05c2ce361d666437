import { objectIn } from '../../../platform/read-json.ts';

/** Claims and reviews as in `content.json`; fields unknown to the console are kept. */
interface Entry {
  text: string;
  source: string;
  language: string;
  name?: string;
  img?: string;
  about?: string;
  /** The English text when this language was last written or confirmed. */
  english?: string;
}

export type ClaimKind = 'claims' | 'reviews';

export const subjects = ['child', 'parent', 'partner', 'friend'] as const;

/** Identifies a claim in every language: by source, name, and its position among those with the same. */
export interface ClaimId {
  kind: ClaimKind;
  source: string;
  name: string;
  at: number;
}

/** `outdated`: English has changed since. */
type ClaimState = 'published' | 'missing' | 'outdated';

export interface Claim extends ClaimId {
  img: string;
  about: string;
  texts: ReadonlyMap<string, { text: string; state: ClaimState }>;
}

interface ContentDocument {
  [name: string]: unknown;
}

/** Empty if nothing is published, or an invalid document was written by hand. */
const documentIn = (text: string | null | undefined): ContentDocument => ({ ...objectIn(text) });

const isEntry = (value: unknown): value is Entry => {
  const { text, source, language } = (value ?? {}) as Partial<Entry>;
  return [text, source, language].every((each) => typeof each === 'string');
};

function listIn(document: ContentDocument, kind: ClaimKind): unknown[] {
  const value = document[kind];
  return Array.isArray(value) && Array.isArray(value[0]) ? value[0] : [];
}

/** Each entry with its position among those of its language with the same source and name. */
function withPlaces(entries: readonly unknown[]): [entry: unknown, place: number][] {
  const seen = new Map<string, number>();
  return entries.map((entry) => {
    const { source, name = '', language } = (entry ?? {}) as Partial<Entry>;
    const key = JSON.stringify([source, name, language]);
    const place = seen.get(key) ?? 0;
    seen.set(key, place + 1);
    return [entry, place];
  });
}

export function claimsIn(content: string | null | undefined, kind: ClaimKind): Claim[] {
  const entries = listIn(documentIn(content), kind);
  const groups = new Map<string, { id: ClaimId; entries: Entry[] }>();
  for (const [entry, at] of withPlaces(entries)) {
    if (!isEntry(entry)) continue;
    const id = { kind, source: entry.source, name: entry.name ?? '', at };
    const key = JSON.stringify(id);
    const group = groups.get(key) ?? { id, entries: [] };
    group.entries.push(entry);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ id, entries: own }) => {
    const english = own.find(({ language }) => language === 'en')?.text;
    const isOutdated = (entry: Entry) =>
      entry.language !== 'en' && entry.english !== undefined && entry.english !== english;
    return {
      ...id,
      img: own.find(({ img }) => img)?.img ?? '',
      about: own.find(({ about }) => about)?.about ?? '',
      texts: new Map(
        own.map((entry) => [
          entry.language,
          { text: entry.text, state: isOutdated(entry) ? 'outdated' : 'published' } as const,
        ]),
      ),
    };
  });
}

export interface EditedClaim {
  source: string;
  name: string;
  img: string;
  about: string;
  /** By language; an empty text removes the claim there. */
  texts: ReadonlyMap<string, string>;
  /** Languages whose text still matches English. */
  confirmed: ReadonlySet<string>;
}

/** The document with one claim changed, added (`id` null) or, if all texts are empty, removed. */
export function withClaim(
  content: string | null | undefined,
  kind: ClaimKind,
  id: ClaimId | null,
  { texts, confirmed, source, name, img, about }: EditedClaim,
): string {
  const document = documentIn(content);
  const entries = withPlaces(listIn(document, kind));
  const isOfId = (entry: unknown, place: number): entry is Entry =>
    id !== null &&
    isEntry(entry) &&
    entry.source === id.source &&
    (entry.name ?? '') === id.name &&
    place === id.at;
  const before = entries.flatMap(([entry, place]) => (isOfId(entry, place) ? [entry] : []));
  const oldEnglish = before.find(({ language }) => language === 'en')?.text;
  const english = texts.get('en') ?? oldEnglish;
  const edited = (language: string, text: string, old?: Entry): Entry => {
    const isFresh = text !== old?.text || confirmed.has(language);
    const fits = isFresh ? english : (old?.english ?? oldEnglish);
    const { img: _img, about: _about, name: _name, english: _english, ...rest } = old ?? {};
    return {
      ...rest,
      ...(kind === 'reviews' && { name, ...(img && { img }), ...(about && { about }) }),
      text,
      source,
      language,
      ...(language !== 'en' && fits && { english: fits }),
    };
  };
  const remaining = entries.flatMap(([entry, place]) => {
    if (!isOfId(entry, place)) return [entry];
    const text = texts.get(entry.language) ?? entry.text;
    return text === '' ? [] : [edited(entry.language, text, entry)];
  });
  const known = new Set(before.map(({ language }) => language));
  const added = [...texts].flatMap(([language, text]) =>
    text === '' || known.has(language) ? [] : [edited(language, text)],
  );
  const others = Array.isArray(document[kind]) ? (document[kind] as unknown[]).slice(1) : [];
  return JSON.stringify({ ...document, [kind]: [[...remaining, ...added], ...others] }, null, 2);
}

const limits = { claims: 120, reviews: 400 } as const;

/** Errors that prevent publishing, by field. */
export function claimProblems(
  kind: ClaimKind,
  { source, name, img, texts }: EditedClaim,
): Map<string, string> {
  const problems = new Map<string, string>();
  const hasText = [...texts.values()].some((text) => text !== '');
  if (!hasText) return problems;
  if (source === '')
    problems.set('source', 'Enter where it can be verified. Pages show this source.');
  if (source.length > 160) problems.set('source', 'At most 160 characters.');
  if (kind === 'reviews' && name === '') problems.set('name', 'Enter the name of the reviewer.');
  if (name.length > 60) problems.set('name', 'At most 60 characters.');
  if (img !== '' && !/^\/[\w-][\w/.-]{0,120}$/.test(img)) {
    problems.set('img', 'Enter a path on this site, such as /img/anna.avif.');
  }
  for (const [language, text] of texts) {
    if (text.length > limits[kind]) {
      problems.set(`text.${language}`, `At most ${limits[kind]} characters.`);
    }
  }
  return problems;
}
