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
import type { Env } from '../platform/env.ts';
import type { ErrorCode } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { languages, readLanguageFile } from './language-files.ts';
import {
  applyOverrides,
  type FlatTexts,
  mergeTexts,
  type NamedText,
  type RefusedTranslation,
  type Texts,
  textAt,
} from './rules/text-overrides.ts';

type LanguageTexts = typeof import('./english.ts').texts;
export type SmsText = LanguageTexts['sms'];

export interface Translations {
  screens: Text;
  islands: IslandText;
  mails: MailText;
  errors: (code: ErrorCode) => string;
  guide: GuideText;
  /** Of the texts that are the same for all visitors, because a purchase stores them with its terms. */
  named: NamedText;
}

/** Browsers send few different headers, but anyone can send others, so the cache is bounded. */
const matches = new Map<string, Language>();
const maxMatches = 500;
const maxHeaderLength = 200;

/** The first supported preference, else the browser's language. @param header Accept-Language */
export function languageFor(preferences: readonly (string | undefined)[], header = ''): Language {
  for (const preference of preferences) {
    const found = matchTag(preference, languages);
    if (found) return found;
  }
  if (header.length > maxHeaderLength) return matchHeader(header, languages);
  let matched = matches.get(header);
  if (matched === undefined) {
    matched = matchHeader(header, languages);
    if (matches.size >= maxMatches) matches.clear();
    matches.set(header, matched);
  }
  return matched;
}

/** Loaded with the first language: webhooks, queues and most Durable Objects need no text. */
let english: typeof import('./english.ts') | undefined;

/** Built-in texts of the loaded languages. All maps are bounded by the list of languages. */
const builtIn = new Map<Language, Texts>();
/** Apart from them, because remote texts must not change the wording that people consent to. */
const smsTexts = new Map<Language, SmsText>();
const overridden = new Map<Language, Texts>();
const cache = new Map<Language, Translations>();
/** Texts of experiments over the others. A page that is cached needs none, so few are kept. */
const variants = new Map<string, Translations>();
const maxVariants = 40;

function keep(language: Language, { sms, ...texts }: LanguageTexts): void {
  builtIn.set(language, texts);
  smsTexts.set(language, sms);
}

/** English replaces missing texts, so it comes with each language. It needs no binding. */
export async function loadEnglish(): Promise<void> {
  english ??= await import('./english.ts');
  if (!builtIn.has(fallback)) keep(fallback, english.texts);
}

/** @returns whether its texts can be used; if not, English replaces them */
export async function loadLanguage(
  language: Language,
  env: Pick<Env, 'ASSETS'>,
  log: Log,
): Promise<boolean> {
  await loadEnglish();
  if (builtIn.has(language)) return true;
  const texts = await readLanguageFile<LanguageTexts>(language, 'texts', env, log);
  if (texts && !builtIn.has(language)) keep(language, texts);
  return texts !== null;
}

/** @throws RangeError when the language is not loaded */
export function smsTextsIn(language: Language): SmsText {
  const texts = smsTexts.get(language);
  if (!texts) throw new RangeError(`no SMS texts in ${language}`);
  return texts;
}

/** A loaded language's built-in texts without English below them; undefined before it is loaded. */
export const ownTexts = (language: Language): Texts | undefined => builtIn.get(language);

const withOverrides = (language: Language, flat: FlatTexts) =>
  applyOverrides(
    flat,
    mergeTexts(builtIn.get(language) ?? {}, builtIn.get(fallback) ?? {}),
    language,
  );

/** @returns the refused keys, which keep their built-in text */
export function overrideTexts(language: Language, flat: FlatTexts | null): RefusedTranslation[] {
  if (!builtIn.has(language)) return [];
  const { texts, refused } = withOverrides(language, flat ?? {});
  overridden.set(language, texts);
  cache.delete(language);
  variants.clear();
  return refused;
}

function build(language: Language, own: Texts): Translations {
  if (!english) throw new Error('no language is loaded');
  const i18n = english.createInstance({
    lng: language,
    fallbackLng: fallback,
    resources: { [fallback]: builtIn.get(fallback) ?? {}, [language]: own },
    defaultNS: 'screens',
    initAsync: false,
    interpolation: { escapeValue: false },
  });
  i18n.init();
  const errors = i18n.getFixedT(language, 'errors');
  const all = mergeTexts(own, english.texts);
  const { islands, guide } = all;
  return {
    screens: i18n.getFixedT(language, 'screens'),
    islands,
    mails: i18n.getFixedT(language, 'mails'),
    errors: (code) => errors(code),
    guide,
    named: (key) => (key === undefined ? undefined : textAt(all, key.split('.'))),
  };
}

/** `loadLanguage` comes first. */
export function translationsFor(requested: Language): Translations {
  const language = builtIn.has(requested) ? requested : fallback;
  let translations = cache.get(language);
  if (!translations) {
    translations = build(language, overridden.get(language) ?? builtIn.get(language) ?? {});
    cache.set(language, translations);
  }
  return translations;
}

/** @param key identifies these texts among all that are ever shown in the language */
export function variantTranslations(
  requested: Language,
  flat: FlatTexts,
  key: string,
): Translations {
  const language = builtIn.has(requested) ? requested : fallback;
  let translations = variants.get(`${language}|${key}`);
  if (!translations) {
    const own = overridden.get(language) ?? builtIn.get(language) ?? {};
    const base = mergeTexts(own, builtIn.get(fallback) ?? {});
    const { named } = translationsFor(language);
    translations = { ...build(language, applyOverrides(flat, base, language).texts), named };
    if (variants.size >= maxVariants) variants.clear();
    variants.set(`${language}|${key}`, translations);
  }
  return translations;
}

export const draftTranslations = (language: Language, flat: FlatTexts): Translations =>
  build(language, withOverrides(language, flat).texts);
