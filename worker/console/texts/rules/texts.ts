import type { FlatTexts } from '../../../content/rules/text-overrides.ts';

export interface LanguageTexts {
  tag: string;
  builtIn: FlatTexts;
  /** Published texts, which replace built-in ones. */
  published: FlatTexts;
  /** By key: English when this language was last written or confirmed here. */
  confirmed: ReadonlyMap<string, string>;
}

/** `missing`: visitors see English. `outdated`: English was replaced later than this language. */
export type TextState = 'published' | 'built-in' | 'missing' | 'outdated';

/** A state for people: what is published has been changed here. */
export const stateWord = (state: TextState): string => (state === 'published' ? 'changed' : state);

const has = (texts: FlatTexts, key: string) => Object.hasOwn(texts, key);

const pluralForm = /_(zero|one|two|few|many|other)$/;

/** Japanese has no singular form, so that one is not missing. */
function needs(tag: string, key: string): boolean {
  const [, form] = pluralForm.exec(key) ?? [];
  const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
  return form === undefined || (pluralCategories as readonly string[]).includes(form);
}

export function textState(
  key: string,
  { tag, builtIn, published, confirmed }: LanguageTexts,
  english: LanguageTexts,
): TextState {
  const isPublished = has(published, key);
  if (!isPublished && !has(builtIn, key)) return needs(tag, key) ? 'missing' : 'built-in';
  const fits = confirmed.get(key);
  const isReplaced = has(english.published, key);
  // A publication by command does not record which English text a translation matches.
  const isOutdated =
    fits === undefined || (!isPublished && !isReplaced)
      ? !isPublished && isReplaced
      : fits !== shownText(key, english, english);
  if (tag !== english.tag && isOutdated) return 'outdated';
  return isPublished ? 'published' : 'built-in';
}

/** The texts changed between two versions, with the English text that each matches. */
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

export const shownText = (key: string, own: LanguageTexts, english: LanguageTexts): string =>
  own.published[key] ?? own.builtIn[key] ?? english.published[key] ?? english.builtIn[key] ?? '';

/** A language's published texts with one replaced; the built-in text, or none, removes it. */
export function withText(own: LanguageTexts, key: string, text: string): FlatTexts {
  const { [key]: _, ...others } = own.published;
  const isBuiltIn = text === '' || text === own.builtIn[key];
  return isBuiltIn ? others : { ...others, [key]: text };
}
