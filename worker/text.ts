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
} from '../locales/index.ts';
import type { ErrorCode } from './errors.ts';

/** All that the funnel says in one language. */
export interface Words {
  screens: Text;
  islands: IslandText;
  mails: MailText;
  guide: GuideText;
  errors: (code: ErrorCode) => string;
}

const files = import.meta.glob<object>('../locales/*/*.json', { eager: true, import: 'default' });

/** The files of each language, `{ en: { screens, islands, mails, errors } }`. */
const resources: Record<Language, Record<string, object>> = {};
for (const [path, texts] of Object.entries(files)) {
  const [language = '', file = ''] = path.split('/').slice(-2);
  resources[language] ??= {};
  resources[language][file.replace('.json', '')] = texts;
}

/** Languages that the funnel speaks: one a folder of `locales`. */
export const languages: readonly Language[] = Object.keys(resources).sort();

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

/** One instance a language, made at its first use; bounded by the list of languages. */
const spoken = new Map<Language, Words>();

function learn(language: Language): Words {
  const i18n = createInstance({
    lng: language,
    fallbackLng: fallback,
    resources: { [fallback]: resources[fallback], [language]: resources[language] } as never,
    defaultNS: 'screens',
    initAsync: false,
    interpolation: { escapeValue: false },
  });
  i18n.init();
  const errors = i18n.getFixedT(language, 'errors' as never) as unknown as TFunction;
  return {
    screens: i18n.getFixedT(language, 'screens'),
    islands: resources[language]?.islands as IslandText,
    guide: resources[language]?.guide as GuideText,
    mails: i18n.getFixedT(language, 'mails'),
    errors: (code) => errors(code as never) as string,
  };
}

/** The words of a language that the funnel speaks. */
export function wordsOf(language: Language): Words {
  let words = spoken.get(language);
  if (!words) {
    words = learn(language);
    spoken.set(language, words);
  }
  return words;
}
