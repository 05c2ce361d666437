import languageList from 'virtual:languages';
import type { Language } from '../../locales/index.ts';
import type { Env } from '../env.ts';
import type { Log } from '../log.ts';

export const languages: readonly Language[] = Object.keys(languageList).sort();

/** Its own name, `Deutsch`. */
export const languageName = (language: Language): string =>
  languageList[language]?.name ?? language;

export const languageDirection = (language: Language): 'ltr' | 'rtl' =>
  languageList[language]?.direction ?? 'ltr';

/** What this isolate has read, and when a read failed; by path, bounded by the number of languages. */
const contents = new Map<string, unknown>();
const failedAt = new Map<string, number>();

const retryAfterMs = 10_000;
/** After this time the page is rendered in English. */
const timeoutMs = 1000;

/** @returns null if the language has no such file or, logged once until it is read, it cannot be read */
export async function readLanguageFile<Content>(
  language: Language,
  part: 'texts' | 'pages',
  { ASSETS }: Pick<Env, 'ASSETS'>,
  log: Log,
): Promise<Content | null> {
  const path = languageList[language]?.files[part];
  if (!path) return null;
  if (contents.has(path)) return contents.get(path) as Content;
  if (Date.now() - (failedAt.get(path) ?? 0) < retryAfterMs) return null;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await ASSETS.fetch(new Request(`https://assets${path}`, { signal }));
    if (!response.ok) throw new RangeError(`status ${response.status}`);
    const content = (await response.json()) as Content;
    contents.set(path, content);
    failedAt.delete(path);
    return content;
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'thrown';
    if (!failedAt.has(path)) log('error', 'language_unreadable', { lng: language, reason });
    failedAt.set(path, Date.now());
    return null;
  }
}
