import { createInstance, type TFunction } from 'i18next';
import {
  fallback,
  type GuideText,
  type IslandText,
  type Language,
  type MailText,
  matchHeader,
  matchTag,
  type Text,
} from '../../locales/index.ts';
import type { ErrorCode } from '../errors.ts';
import {
  applyOverrides,
  type FlatTexts,
  mergeTexts,
  type RefusedTranslation,
  type Texts,
} from './rules/text-overrides.ts';

/** All that pages, mails and answers say in one language. */
export interface Translations {
  screens: Text;
  islands: IslandText;
  mails: MailText;
  errors: (code: ErrorCode) => string;
  /** The guide that the toolkit sells. */
  guide: GuideText;
}

/** English is there from the start: it stands in wherever a text is missing. */
const english = import.meta.glob<Texts>(
  '../../locales/en/{screens,islands,mails,errors,guide}.json',
  {
    eager: true,
    import: 'default',
  },
);
/** Every other file is a module of its own, read when it is first asked for. */
const files = import.meta.glob<Texts>(
  ['../../locales/*/{screens,islands,mails,errors,guide}.json', '!../../locales/en/*'],
  { import: 'default' },
);

/** `../../locales/de/screens.json` is `['de', 'screens']`. */
const namesIn = (path: string) => path.replace('.json', '').split('/').slice(-2);

/** Languages that the funnel speaks: one a folder of `locales`. */
export const languages: readonly Language[] = [
  ...new Set([fallback, ...Object.keys(files).map((path) => namesIn(path)[0] ?? fallback)]),
].sort();

/**
 * The language for a visitor: the first wish that can be met, else what the browser asks for.
 *
 * @param wishes BCP 47, the strongest first
 * @param header Accept-Language
 */
export function languageFor(wishes: readonly (string | undefined)[], header = ''): Language {
  for (const wish of wishes) {
    const found = matchTag(wish, languages);
    if (found) return found;
  }
  return matchHeader(header, languages);
}

const byName = (texts: Record<string, Texts>): Texts =>
  Object.fromEntries(Object.entries(texts).map(([path, file]) => [namesIn(path)[1] ?? '', file]));

/** The built-in texts of the languages that were asked for; bounded by the list of languages. */
const builtIn = new Map<Language, Texts>([[fallback, byName(english)]]);
/** What lies over them, and what came of both; bounded alike. */
const laid = new Map<Language, Texts>();
const spoken = new Map<Language, Translations>();

/** Reads a language's texts, once; until then `wordsOf` speaks English. */
export async function loadLanguage(language: Language): Promise<void> {
  if (builtIn.has(language)) return;
  const own = Object.entries(files).filter(([path]) => namesIn(path)[0] === language);
  const read = await Promise.all(own.map(async ([path, load]) => [path, await load()] as const));
  builtIn.set(language, byName(Object.fromEntries(read)));
}

/**
 * Lays texts from outside over a language that was learned, in the place of those before.
 *
 * @param flat null for none
 * @returns the keys that were not taken: the built-in text stands there
 */
export function overrideTexts(language: Language, flat: FlatTexts | null): RefusedTranslation[] {
  const below = builtIn.get(language);
  if (!below) return [];
  const { texts, refused } = applyOverrides(
    flat ?? {},
    mergeTexts(below, builtIn.get(fallback) ?? {}),
    language,
  );
  laid.set(language, texts);
  spoken.delete(language);
  return refused;
}

function speak(language: Language, own: Texts): Translations {
  const i18n = createInstance({
    lng: language,
    fallbackLng: fallback,
    resources: { [fallback]: builtIn.get(fallback), [language]: own } as never,
    defaultNS: 'screens',
    initAsync: false,
    interpolation: { escapeValue: false },
  });
  i18n.init();
  const errors = i18n.getFixedT(language, 'errors' as never) as unknown as TFunction;
  const { islands, guide } = mergeTexts(own, builtIn.get(fallback) ?? {});
  return {
    screens: i18n.getFixedT(language, 'screens'),
    islands: islands as unknown as IslandText,
    mails: i18n.getFixedT(language, 'mails'),
    errors: (code) => errors(code as never) as string,
    guide: guide as unknown as GuideText,
  };
}

/** The words of a language; English ones where it was not learned. */
export function translationsFor(asked: Language): Translations {
  const language = builtIn.has(asked) ? asked : fallback;
  let words = spoken.get(language);
  if (!words) {
    words = speak(language, laid.get(language) ?? builtIn.get(language) ?? {});
    spoken.set(language, words);
  }
  return words;
}
