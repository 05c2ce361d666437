import { placeholdersMatch } from '../../../locales/format/placeholders.ts';

export interface Texts {
  [key: string]: string | Texts | readonly unknown[];
}

/** Remote texts: `{ 'screens.common.terms': 'Terms' }`. */
export type FlatTexts = Readonly<Record<string, string>>;

/** A text by its key; undefined without one, also where it was deleted. */
export type NamedText = (key: string | undefined) => string | undefined;

export const isGroup = (value: unknown): value is Texts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A missing text, or group of texts, is the base's. */
export function mergeTexts<Base extends Texts>(own: Texts, base: Base): Base {
  const both: Texts = { ...base };
  for (const [key, value] of Object.entries(own)) {
    const below = Object.hasOwn(base, key) ? base[key] : undefined;
    both[key] = isGroup(value) && isGroup(below) ? mergeTexts(value, below) : value;
  }
  return both as Base;
}

const hasChild = (value: unknown, name: string): value is Texts =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name);

export function textAt(texts: Texts, path: readonly string[]): string | undefined {
  let at: unknown = texts;
  for (const name of path) {
    if (!hasChild(at, name)) return undefined;
    at = at[name];
  }
  return typeof at === 'string' ? at : undefined;
}

function putAt(texts: Texts, path: readonly string[], text: string): void {
  const group = path.slice(0, -1).reduce((at, name) => {
    if (!Object.hasOwn(at, name)) at[name] = {};
    return at[name] as Texts;
  }, texts);
  group[path.at(-1) ?? ''] = text;
}

/** A text that only the catalog names: it has no built-in one, and so no placeholders. */
export const isProductText = (key: string): boolean =>
  /^products\.[a-z][a-z\d_]{0,47}\.[a-z][a-z\d_]{0,47}$/.test(key);

/** In characters; our longest text has about 300. */
const maxLength = 2000;
/** Control characters, and the private-use characters of placeholders. */
const unprintable = /[\p{Cc}\uE000-\uF8FF]/u;

/** A stored consent names the version of these texts, so only a new version may change them. */
const consentTexts = /^islands\.consent-banner(\.|$)/;

function refusalOf(text: string, model: string | undefined, key: string, language: string) {
  if (model === undefined) return 'no such key';
  if (consentTexts.test(key)) return 'consent texts change only with a new version';
  if (!text.trim()) return 'empty';
  if (text.length > maxLength) return `longer than ${maxLength} characters`;
  if (unprintable.test(text)) return 'unprintable characters';
  return placeholdersMatch(text, model, key, language) ? null : 'other placeholders or markup';
}

export interface RefusedTranslation {
  key: string;
  reason: string;
}

export function applyOverrides(
  flat: FlatTexts,
  builtIn: Texts,
  language: string,
): { texts: Texts; refused: RefusedTranslation[] } {
  const texts = structuredClone(builtIn);
  const refused: RefusedTranslation[] = [];
  for (const [key, text] of Object.entries(flat)) {
    const path = key.split('.');
    const model = textAt(builtIn, path) ?? (isProductText(key) ? '' : undefined);
    const reason = refusalOf(text, model, key, language);
    if (reason) refused.push({ key, reason });
    else putAt(texts, path, text);
  }
  return { texts, refused };
}
