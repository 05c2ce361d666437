import languageList from 'virtual:languages';
import type { Language } from '../../locales/index.ts';
import type { Env } from '../platform/env.ts';
import type { Log } from '../platform/log.ts';
import { readAsset } from './asset-file.ts';

export const languages: readonly Language[] = Object.keys(languageList).sort();

/** Its own name, `Deutsch`. */
export const languageName = (language: Language): string =>
  languageList[language]?.name ?? language;

export const languageDirection = (language: Language): 'ltr' | 'rtl' =>
  languageList[language]?.direction ?? 'ltr';

/** @returns null if the language has no such file or, logged, it cannot be read: a page is in English then */
export async function readLanguageFile<Content>(
  language: Language,
  part: 'texts' | 'pages',
  env: Pick<Env, 'ASSETS'>,
  log: Log,
): Promise<Content | null> {
  const path = languageList[language]?.files[part];
  if (!path) return null;
  return readAsset<Content>(path, env, (reason) =>
    log('error', 'language_file_failed', { lng: language, reason }),
  );
}
