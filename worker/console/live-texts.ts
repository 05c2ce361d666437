import type { Context } from 'hono';
import type { Language } from '../../locales/index.ts';
import { contentVersions } from '../content/content-versions.ts';
import { languages } from '../content/language-files.ts';
import { flatTexts } from '../content/rules/flat-texts.ts';
import { type FlatTexts, mergeTexts, type Texts } from '../content/rules/text-overrides.ts';
import { loadLanguage, ownTexts } from '../content/translations.ts';
import {
  type DocumentStore,
  type Documents,
  type Live,
  namespaceKv,
} from '../documents/versioned-documents.ts';
import type { App, Env } from '../env.ts';
import type { Log } from '../log.ts';
import { liveDocuments } from './publish-documents.ts';
import type { LanguageTexts } from './rules/texts.ts';

const builtInOf = (language: string): Texts | null => {
  const own = ownTexts(language as Language);
  return own ? mergeTexts(own, ownTexts('en') ?? {}) : null;
};

/** Checks against the languages that are loaded. */
export const textStore: DocumentStore<Documents> = contentVersions(builtInOf);

export interface LiveTexts {
  live: Live<Documents>;
  languages: LanguageTexts[];
  english: LanguageTexts;
}

function publishedIn(text: string | null | undefined): FlatTexts {
  try {
    return JSON.parse(text ?? '{}') as FlatTexts;
  } catch {
    return {};
  }
}

/** Loads every language, as the checks of texts need them. */
export const loadTexts = (env: Pick<Env, 'ASSETS'>, log: Log): Promise<boolean[]> =>
  Promise.all(languages.map((language) => loadLanguage(language, env, log)));

/** Every language with what visitors read now. */
export async function liveTexts(c: Context<App>): Promise<LiveTexts> {
  const [live] = await Promise.all([
    liveDocuments(textStore, namespaceKv(c.env.FUNNEL), c.env.DB, Date.now()),
    loadTexts(c.env, c.var.log),
  ]);
  const all = ['en', ...languages.filter((tag) => tag !== 'en')].map((tag) => ({
    tag,
    builtIn: flatTexts(ownTexts(tag as Language) ?? {}),
    published: publishedIn(live.documents[`${tag}.json`]),
  }));
  return { live, languages: all, english: all[0] as LanguageTexts };
}
