import { placeholdersMatch } from './placeholders.ts';

/** Texts by key, in groups: a file of `locales`. */
export interface Texts {
  [key: string]: string | Texts | readonly unknown[];
}

/** Texts as people outside edit them, `{ 'screens.common.terms': 'Terms' }`. */
export type FlatTexts = Readonly<Record<string, string>>;

const isGroup = (value: unknown): value is Texts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One file over another, key by key: what the first lacks stays as it is in the second. */
export function mergeTexts(own: Texts, base: Texts): Texts {
  const both: Texts = { ...base };
  for (const [key, value] of Object.entries(own)) {
    const below = Object.hasOwn(base, key) ? base[key] : undefined;
    both[key] = isGroup(value) && isGroup(below) ? mergeTexts(value, below) : value;
  }
  return both;
}

/** Whether something has a part of this name; a list has its elements, by number. */
const holds = (value: unknown, name: string): value is Texts =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name);

/** The text of a key, `screens.common.terms` or `guide.sections.0.title`; undefined for none. */
function textAt(texts: Texts, path: readonly string[]): string | undefined {
  let at: unknown = texts;
  for (const name of path) {
    if (!holds(at, name)) return undefined;
    at = at[name];
  }
  return typeof at === 'string' ? at : undefined;
}

function putAt(texts: Texts, path: readonly string[], text: string): void {
  const group = path.slice(0, -1).reduce((at, name) => at[name] as Texts, texts);
  group[path.at(-1) ?? ''] = text;
}

/** Characters that a text may have; the longest of ours has some 300. */
const longest = 2000;
/** Control characters, and the private ones that mark what the edge fills in. */
const unprintable = /[\p{Cc}\uE000-\uF8FF]/u;

/** What consent is given to: a choice names the version of these words, so only a new version changes them. */
const consentWords = /^islands\.consent-banner(\.|$)/;

/** Why a text can not stand where another stands; null when it can. */
function refusalOf(text: string, model: string | undefined, key: string, language: string) {
  if (model === undefined) return 'no such key';
  if (consentWords.test(key)) return 'words of consent change with their version only';
  if (!text.trim()) return 'empty';
  if (text.length > longest) return `longer than ${longest} characters`;
  if (unprintable.test(text)) return 'signs that can not be shown';
  return placeholdersMatch(text, model, key, language) ? null : 'other placeholders or markup';
}

/** A key whose text was not taken, and why. */
export interface RefusedTranslation {
  key: string;
  reason: string;
}

/**
 * Texts from outside over the built-in ones of their language, key by key.
 *
 * @param language BCP 47
 */
export function applyOverrides(
  flat: FlatTexts,
  builtIn: Texts,
  language: string,
): { texts: Texts; refused: RefusedTranslation[] } {
  const texts = structuredClone(builtIn);
  const refused: RefusedTranslation[] = [];
  for (const [key, text] of Object.entries(flat)) {
    const path = key.split('.');
    const reason = refusalOf(text, textAt(builtIn, path), key, language);
    if (reason) refused.push({ key, reason });
    else putAt(texts, path, text);
  }
  return { texts, refused };
}
