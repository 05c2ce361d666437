import type { FlatTexts } from '../../content/rules/text-overrides.ts';

/** One language's texts by key. */
export interface LanguageTexts {
  tag: string;
  builtIn: FlatTexts;
  /** Those that replace built-in ones. */
  published: FlatTexts;
  /** English by key when this language was last written or confirmed here. */
  confirmed: ReadonlyMap<string, string>;
}

/** `missing`: visitors read English. `outdated`: English was replaced since, this language was not. */
export type TextState = 'published' | 'built-in' | 'missing' | 'outdated';

const has = (texts: FlatTexts, key: string) => Object.hasOwn(texts, key);

const pluralForm = /_(zero|one|two|few|many|other)$/;

/** Japanese has no form for one, and lacks nothing without it. */
function needs(tag: string, key: string): boolean {
  const [, form] = pluralForm.exec(key) ?? [];
  const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
  return form === undefined || (pluralCategories as readonly string[]).includes(form);
}

export function stateOf(
  key: string,
  { tag, builtIn, published, confirmed }: LanguageTexts,
  english: LanguageTexts,
): TextState {
  const isPublished = has(published, key);
  if (!isPublished && !has(builtIn, key)) return needs(tag, key) ? 'missing' : 'built-in';
  const fits = confirmed.get(key);
  const isReplaced = has(english.published, key);
  // Of words that a command published nobody said which English they fit.
  const isOutdated =
    fits === undefined || (!isPublished && !isReplaced)
      ? !isPublished && isReplaced
      : fits !== shownText(key, english, english);
  if (tag !== english.tag && isOutdated) return 'outdated';
  return isPublished ? 'published' : 'built-in';
}

/** What was written between two versions, with the English that it fits. */
export const writtenSince = (
  before: readonly LanguageTexts[],
  after: readonly LanguageTexts[],
  english: LanguageTexts,
): { key: string; language: string; english: string }[] =>
  after.flatMap(({ tag, published }) => {
    const old = before.find((own) => own.tag === tag)?.published ?? {};
    return Object.keys(published)
      .filter((key) => tag !== english.tag && published[key] !== old[key])
      .map((key) => ({ key, language: tag, english: shownText(key, english, english) }));
  });

/** What visitors read. */
export const shownText = (key: string, own: LanguageTexts, english: LanguageTexts): string =>
  own.published[key] ?? own.builtIn[key] ?? english.published[key] ?? english.builtIn[key] ?? '';

/** As a keyboard types it: straight quotes, hyphens, plain spaces, small letters. */
const typed = (text: string) =>
  text
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/[‐‑–—]/g, '-')
    .replace(/[\u00a0\u202f]/g, ' ')
    .toLocaleLowerCase();

/** Of what was found inside a word, or in a key only. */
const inWord = 1;

/** Keys whose name or words in any language contain the text: first where a word starts with it. */
export function keysWith(
  text: string,
  languages: readonly LanguageTexts[],
  english: LanguageTexts,
): string[] {
  const wanted = typed(text);
  const place = (words: string | undefined) => {
    const at = words === undefined ? -1 : typed(words).indexOf(wanted);
    return at > 0 && /\p{L}/u.test(typed(words ?? '')[at - 1] ?? '') ? inWord : Math.min(at, 0);
  };
  const rank = (key: string) => {
    const places = [
      place(key) >= 0 ? inWord : -1,
      ...languages.flatMap(({ builtIn, published }) => [
        place(published[key]),
        place(builtIn[key]),
      ]),
    ].filter((each) => each >= 0);
    return places.length > 0 ? Math.min(...places) : -1;
  };
  return Object.keys(english.builtIn)
    .map((key) => ({ key, at: rank(key) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ key }) => key);
}

/** A text as it stands on a page: without tags, links as their label, any value for a placeholder. */
function patternOf(text: string): RegExp | null {
  const plain = text.replace(/\[([^\]]*)\]\(\w+\)/g, '$1').replace(/<[^>]*>/g, '');
  const parts = plain
    .split(/\{\{[^}]*\}\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const isLong = parts.join('').trim().length >= 4;
  return isLong ? new RegExp(parts.join('.{1,40}'), 'i') : null;
}

/** Keys whose text stands in words that were copied from a page, the longest first. */
export function keysShownIn(
  words: string,
  languages: readonly LanguageTexts[],
  english: LanguageTexts,
): string[] {
  const lengths = new Map<string, number>();
  for (const own of languages) {
    for (const key of Object.keys(english.builtIn)) {
      const text = own.published[key] ?? own.builtIn[key] ?? '';
      if (patternOf(text)?.test(words)) {
        lengths.set(key, Math.max(lengths.get(key) ?? 0, text.length));
      }
    }
  }
  return [...lengths].sort(([, a], [, b]) => b - a).map(([key]) => key);
}

/** A language's published texts with one of them replaced; the built-in words, or none, remove it. */
export function withText(own: LanguageTexts, key: string, text: string): FlatTexts {
  const { [key]: _, ...others } = own.published;
  const isBuiltIn = text === '' || text === own.builtIn[key];
  return isBuiltIn ? others : { ...others, [key]: text };
}
