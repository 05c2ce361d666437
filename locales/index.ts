import type { TFunction } from 'i18next';
import type guide from './en/guide.json';
import type islands from './en/islands.json';
import type mails from './en/mails.json';
import type screens from './en/screens.json';

/** Text of the screens, by key of `screens.json`. */
export type Text = TFunction<'screens'>;

/** Text of the islands, whole: an island gets its own part as a prop. */
export type IslandText = typeof islands;

/** The guide that the toolkit sells. */
export type GuideText = typeof guide;

/** Text of the mails, by key of `mails.json`. */
export type MailText = TFunction<'mails'>;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'screens';
    resources: { screens: typeof screens; mails: typeof mails };
  }
}

/** BCP 47, the name of a folder beside this file. */
export type Language = string;

/** The default, and what is spoken where no wish can be met. */
export const fallback: Language = 'en';

const part = (tag: string) => tag.split('-', 1)[0]?.toLowerCase();

/** The script that a language is written in, ISO 15924: `Latn`; empty when it is not known. */
export function scriptOf(language: Language): string {
  try {
    return new Intl.Locale(language).maximize().script ?? '';
  } catch {
    return '';
  }
}

const rightToLeft = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo']);

/** The writing direction of a language. */
export function directionOf(language: Language): 'ltr' | 'rtl' {
  return rightToLeft.has(scriptOf(language)) ? 'rtl' : 'ltr';
}

/** What a language calls itself, with a capital: `Deutsch`. */
export function nameOf(language: Language): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

/**
 * The language for one wish: the exact code, then its language part, then any variant of the same
 * language; undefined when there is none.
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

/** A weight as RFC 9110 writes it, 0 to 1 with three decimals; 0 for anything else. */
const weightOf = (text: string | undefined): number =>
  text === undefined ? 1 : /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0;

/** The language for an Accept-Language header, wishes in the order of their weights; English last. */
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
