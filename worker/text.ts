import { createInstance, type TFunction } from 'i18next';
import enErrors from '../locales/en/errors.json';
import enIslands from '../locales/en/islands.json';
import enMails from '../locales/en/mails.json';
import enScreens from '../locales/en/screens.json';
import type { IslandText, Language, MailText, Text } from '../locales/index.ts';
import type { ErrorCode } from './errors.ts';

/** All that the funnel says in one language. */
export interface Words {
  screens: Text;
  islands: IslandText;
  mails: MailText;
  errors: (code: ErrorCode) => string;
}

const resources = {
  en: { screens: enScreens, islands: enIslands, mails: enMails, errors: enErrors },
} as const satisfies Record<Language, unknown>;

/** One instance a language, made at its first use; bounded by the list of languages. */
const spoken = new Map<Language, Words>();

function learn(language: Language): Words {
  const i18n = createInstance({
    lng: language,
    fallbackLng: 'en',
    resources,
    defaultNS: 'screens',
    initAsync: false,
    interpolation: { escapeValue: false },
  });
  i18n.init();
  const errors = i18n.getFixedT(language, 'errors' as never) as unknown as TFunction;
  return {
    screens: i18n.getFixedT(language, 'screens'),
    islands: resources[language].islands,
    mails: i18n.getFixedT(language, 'mails'),
    errors: (code) => errors(code as never) as string,
  };
}

/** The words of a language. */
export function wordsOf(language: Language): Words {
  let words = spoken.get(language);
  if (!words) {
    words = learn(language);
    spoken.set(language, words);
  }
  return words;
}
