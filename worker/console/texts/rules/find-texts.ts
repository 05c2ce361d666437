import type { LanguageTexts } from './texts.ts';

/** Normalized for search: case and the styles of quotes, dashes and spaces are ignored. */
const typed = (text: string) =>
  text
    .toLocaleLowerCase()
    .replace(/[‘’ʼ′`]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‐-―−]/g, '-')
    .replaceAll('…', '...')
    .replace(/\s+/g, ' ')
    .trim();

/** As shown on a page: without tags, links as their label. */
const plain = (text: string) =>
  typed(text.replace(/\[([^\]]*)\]\(\w+\)/g, '$1').replace(/<[^>]*>/g, ''));

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Keys whose text contains the query in any language: whole words first, then titles. A full key finds itself. */
export function keysWith(
  text: string,
  languages: readonly LanguageTexts[],
  english: LanguageTexts,
): string[] {
  if (Object.hasOwn(english.builtIn, text)) return [text];
  const wanted = typed(text);
  const whole = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(wanted)}(?![\\p{L}\\p{N}])`, 'u');
  const hits = Object.keys(english.builtIn).flatMap((key) => {
    const found = languages
      .flatMap(({ builtIn, published }) => [published[key] ?? '', builtIn[key] ?? ''])
      .map(plain)
      .filter((words) => words.includes(wanted));
    const isWhole = Number(found.some((words) => whole.test(words)));
    const isTitle = Number(/\btitle$/.test(key));
    return found.length > 0 ? [{ key, isWhole, isTitle }] : [];
  });
  return hits.sort((a, b) => b.isWhole - a.isWhole || b.isTitle - a.isTitle).map(({ key }) => key);
}

/** A placeholder matches any value. */
function patternOf(text: string): RegExp | null {
  const parts = plain(text).split(/\{\{[^}]*\}\}/);
  const isLong = parts.join('').trim().length >= 4;
  return isLong ? new RegExp(parts.map(escaped).join('.{1,40}')) : null;
}

/** Keys whose text occurs in text copied from a page, the longest first. */
export function keysShownIn(
  words: string,
  languages: readonly LanguageTexts[],
  english: LanguageTexts,
): string[] {
  const shown = typed(words);
  const lengths = new Map<string, number>();
  for (const own of languages) {
    for (const key of Object.keys(english.builtIn)) {
      const text = own.published[key] ?? own.builtIn[key] ?? '';
      if (patternOf(text)?.test(shown)) {
        lengths.set(key, Math.max(lengths.get(key) ?? 0, text.length));
      }
    }
  }
  return [...lengths].sort(([, a], [, b]) => b - a).map(([key]) => key);
}
