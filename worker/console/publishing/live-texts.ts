import type { D1Database } from '@cloudflare/workers-types';
import type { Context } from 'hono';
import type { Language } from '../../../locales/index.ts';
import { contentSet } from '../../content/content-set.ts';
import { languages } from '../../content/language-files.ts';
import { flatTexts } from '../../content/rules/flat-texts.ts';
import { type FlatTexts, mergeTexts, type Texts } from '../../content/rules/text-overrides.ts';
import { loadLanguage, ownTexts } from '../../content/translations.ts';
import type { DocumentSet, Documents } from '../../documents/document-set.ts';
import { namespaceKv } from '../../documents/kv.ts';
import type { Live } from '../../documents/live-documents.ts';
import type { App, Env } from '../../platform/env.ts';
import type { Log } from '../../platform/log.ts';
import {
  type Confirmations,
  readConfirmations,
  writeConfirmations,
} from '../texts/confirmation-table.ts';
import { type LanguageTexts, writtenSince } from '../texts/rules/texts.ts';
import { liveDocuments } from './publish-documents.ts';

const builtInOf = (language: string): Texts | null => {
  const own = ownTexts(language as Language);
  return own ? mergeTexts(own, ownTexts('en') ?? {}) : null;
};

/** Validates against the loaded languages. */
export const textSet: DocumentSet = contentSet(builtInOf);

export interface LiveTexts {
  live: Live;
  languages: LanguageTexts[];
  english: LanguageTexts;
}

export function publishedIn(text: string | null | undefined): FlatTexts {
  try {
    return JSON.parse(text ?? '{}') as FlatTexts;
  } catch {
    return {};
  }
}

/** Loads every language, because validating texts needs them. */
export const loadTexts = (env: Pick<Env, 'ASSETS'>, log: Log): Promise<boolean[]> =>
  Promise.all(languages.map((language) => loadLanguage(language, env, log)));

/** Every language, English first. They must be loaded. */
const languagesIn = (documents: Documents, confirmations: Confirmations): LanguageTexts[] =>
  ['en', ...languages.filter((tag) => tag !== 'en')].map((tag) => ({
    tag,
    builtIn: flatTexts(ownTexts(tag as Language) ?? {}),
    published: publishedIn(documents[`${tag}.json`]),
    confirmed: confirmations.get(tag) ?? new Map(),
  }));

export async function liveTexts(c: Context<App>): Promise<LiveTexts> {
  const [live, confirmations] = await Promise.all([
    liveDocuments(textSet, namespaceKv(c.env.FUNNEL), c.env.DB, Date.now()),
    readConfirmations(c.env.DB),
    loadTexts(c.env, c.var.log),
  ]);
  const all = languagesIn(live.documents, confirmations);
  return { live, languages: all, english: all[0] as LanguageTexts };
}

/** Stores for each newly published translation which English text it matches. Other documents have none. */
export async function confirmWritten(
  set: DocumentSet,
  db: D1Database,
  before: Documents,
  after: Documents,
): Promise<void> {
  if (set !== textSet) return;
  const [old, own] = [before, after].map((documents) => languagesIn(documents, new Map()));
  const rows = writtenSince(old ?? [], own ?? [], own?.[0] as LanguageTexts);
  if (rows.length > 0) await writeConfirmations(db, rows);
}
