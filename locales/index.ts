import type { TFunction } from 'i18next';
import type islands from './en/islands.json';
import type mails from './en/mails.json';
import type screens from './en/screens.json';

/** Text of the screens, by key of `screens.json`. */
export type Text = TFunction<'screens'>;

/** Text of the islands, whole: an island gets its own part as a prop. */
export type IslandText = typeof islands;

/** Text of the mails, by key of `mails.json`. */
export type MailText = TFunction<'mails'>;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'screens';
    resources: { screens: typeof screens; mails: typeof mails };
  }
}

/** Languages that the funnel speaks, BCP 47; the first is the default and the fallback. */
const languages = ['en'] as const;
export type Language = (typeof languages)[number];

const rightToLeft = new Set(['ar', 'he', 'fa', 'ur']);

/** The writing direction of a language. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return rightToLeft.has(language.split('-', 1)[0] ?? '') ? 'rtl' : 'ltr';
}

const part = (tag: string) => tag.split('-', 1)[0] ?? tag;

/** The language for one tag: exact code, then language part, then any same-language variant. */
function matchTag(tag: string): Language | undefined {
  const wanted = tag.toLowerCase();
  return (
    languages.find((language) => language.toLowerCase() === wanted) ??
    languages.find((language) => language === part(wanted)) ??
    languages.find((language) => part(language) === part(wanted))
  );
}

/**
 * The language for an Accept-Language header: tags in the order of their weights, English last.
 */
export function matchLanguage(header: string): Language {
  const tags = header
    .slice(0, 500)
    .split(',')
    .map((entry) => {
      const [tag = '', weight] = entry.trim().split(/\s*;\s*q=/);
      return { tag, weight: weight === undefined ? 1 : Number(weight) || 0 };
    })
    .filter(({ tag, weight }) => tag && weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { tag } of tags) {
    const found = matchTag(tag);
    if (found) return found;
  }
  return languages[0];
}
