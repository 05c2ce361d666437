import type { TFunction } from 'i18next';
import type errors from './en/errors.json';
import type guide from './en/guide.json';
import type islands from './en/islands.json';
import type mails from './en/mails.json';
import type screens from './en/screens.json';

/** Translator for `screens.json`. */
export type Text = TFunction<'screens'>;

/** `islands.json`; an island receives its own section as a prop. */
export type IslandText = typeof islands;

export type GuideText = typeof guide;

/** Translator for `mails.json`. */
export type MailText = TFunction<'mails'>;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'screens';
    resources: { screens: typeof screens; mails: typeof mails; errors: typeof errors };
  }
}

/** BCP 47; a folder name. */
export type Language = string;

export const fallback: Language = 'en';

const part = (tag: string) => tag.split('-', 1)[0]?.toLowerCase();

/** ISO 15924 script of a language: `Latn`; empty when unknown. */
export function scriptOf(language: Language): string {
  try {
    return new Intl.Locale(language).maximize().script ?? '';
  } catch {
    return ''; // Not a language tag.
  }
}

const rightToLeft = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo']);

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return rightToLeft.has(scriptOf(language)) ? 'rtl' : 'ltr';
}

/** A language's own name, capitalised: `Deutsch`. */
export function languageName(language: Language): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

/**
 * Matches a tag: exactly, then its language part, then any variant of the language; undefined for
 * none.
 */
export function matchTag(
  tag: string | undefined,
  languages: readonly Language[],
): Language | undefined {
  const wanted = tag?.trim().toLowerCase();
  if (!wanted) return undefined;
  return (
    languages.find((language) => language.toLowerCase() === wanted) ??
    languages.find((language) => language.toLowerCase() === part(wanted)) ??
    languages.find((language) => part(language) === part(wanted))
  );
}

/** A quality value (RFC 9110), 0 to 1; 0 when malformed. */
const weightOf = (text: string | undefined): number =>
  text === undefined ? 1 : /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0;

/** Matches an Accept-Language header in order of quality; English by default. */
export function matchHeader(header: string, languages: readonly Language[]): Language {
  const wishes = header
    .slice(0, 500)
    .split(',')
    .map((entry) => {
      const [tag = '', ...more] = entry.split(';').map((piece) => piece.trim());
      const weight = more.find((piece) => /^q\s*=/i.test(piece))?.split('=')[1];
      return { tag, weight: weightOf(weight?.trim()) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { tag } of wishes) {
    const found = matchTag(tag, languages);
    if (found) return found;
  }
  return fallback;
}
