import type { FlatTexts } from '../../../content/rules/text-overrides.ts';
import type { LanguageTexts } from './texts.ts';

export interface WordChange {
  tag: string;
  key: string;
  before: string;
  after: string;
}

export const wordChanges = (
  languages: readonly LanguageTexts[],
  next: (tag: string) => FlatTexts,
): WordChange[] =>
  languages.flatMap(({ tag, builtIn, published }) => {
    const after = next(tag);
    return [...new Set([...Object.keys(published), ...Object.keys(after)])]
      .map((key) => ({
        tag,
        key,
        before: published[key] ?? builtIn[key] ?? '',
        after: after[key] ?? builtIn[key] ?? '',
      }))
      .filter(({ before, after }) => before !== after);
  });

/** Languages whose own text stays while English changes. */
export const outdatedLanguages = (
  languages: readonly LanguageTexts[],
  changes: readonly WordChange[],
): string[] => {
  const english = changes.filter(({ tag }) => tag === 'en');
  return languages
    .filter(({ tag, builtIn, published }) =>
      english.some(
        ({ key }) =>
          tag !== 'en' &&
          (published[key] ?? builtIn[key]) !== undefined &&
          !changes.some((one) => one.tag === tag && one.key === key),
      ),
    )
    .map(({ tag }) => tag);
};

/** The longest part of a text that appears on the page literally, without placeholders and markup. */
export const longestPart = (text: string): string =>
  text
    .split(/\{\{[^}]*\}\}|\[|\]\(\w+\)|<[^>]*>|\n/)
    .reduce((longest, part) => (part.trim().length > longest.length ? part.trim() : longest), '');
