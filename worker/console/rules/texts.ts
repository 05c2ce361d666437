import type { FlatTexts } from '../../content/rules/text-overrides.ts';

/** One language's texts by key. */
export interface LanguageTexts {
  tag: string;
  builtIn: FlatTexts;
  /** Those that replace built-in ones. */
  published: FlatTexts;
}

/** `missing`: visitors read English. `outdated`: English was replaced, this language was not. */
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
  { tag, builtIn, published }: LanguageTexts,
  english: LanguageTexts,
): TextState {
  if (has(published, key)) return 'published';
  if (!has(builtIn, key)) return needs(tag, key) ? 'missing' : 'built-in';
  return tag !== english.tag && has(english.published, key) ? 'outdated' : 'built-in';
}

/** What visitors read. */
export const shownText = (key: string, own: LanguageTexts, english: LanguageTexts): string =>
  own.published[key] ?? own.builtIn[key] ?? english.published[key] ?? english.builtIn[key] ?? '';

/** Keys whose name or words in any language contain the text, in the order of English. */
export function keysWith(
  text: string,
  languages: readonly LanguageTexts[],
  english: LanguageTexts,
): string[] {
  const wanted = text.toLocaleLowerCase();
  const says = (texts: FlatTexts, key: string) =>
    texts[key]?.toLocaleLowerCase().includes(wanted) ?? false;
  return Object.keys(english.builtIn).filter(
    (key) =>
      key.toLowerCase().includes(wanted) ||
      languages.some(({ builtIn, published }) => says(published, key) || says(builtIn, key)),
  );
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
