import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Language } from '../../locales/index.ts';
import type { App, Env } from '../env.ts';
import type { Log } from '../log.ts';
import { type Content, ContentCache, type ContentOptions } from './content-cache.ts';
import { contentService } from './content-service.ts';
import type { FlatTexts } from './rules/text-overrides.ts';
import { loadLanguage, overrideTexts } from './translations.ts';

export interface ContentVariables {
  /** Remote texts, claims and reviews; the first visitor of an isolate may wait 150 ms for them. */
  content?: Promise<Content>;
}

/** What lies over each language now, so that it is laid there once. */
const laid = new Map<Language, FlatTexts | null>();

/** Beyond so many keys a line of log says no more. */
const told = 20;

function lay(language: Language, { texts }: Content, log: Log): void {
  if ((laid.get(language) ?? null) === texts) return;
  laid.set(language, texts);
  const refused = overrideTexts(language, texts);
  for (const { key, reason } of refused.slice(0, told)) {
    log('error', 'translation_refused', { lng: language, key: key.slice(0, 100), reason });
  }
}

const optionsOf = (env: Env, log: Log, waitUntil: ContentOptions['waitUntil']): ContentOptions => ({
  service: contentService(env.FUNNEL, env.CONTENT_URL),
  log,
  waitUntil,
  maxAgeMs: Number(env.CONFIG_SECONDS ?? 30) * 1000,
});

async function fresh(store: ContentCache, language: Language, options: ContentOptions) {
  const content = await store.current(language, options);
  lay(language, content, options.log);
  return content;
}

/**
 * Learns the visitor's language, and has its texts from outside looked for: pages find them in
 * `c.var.content`, everything else takes the words that are there.
 */
export const translationsFrom = (store: ContentCache) =>
  createMiddleware<App>(async (c: Context<App>, next) => {
    const { language } = c.get('visitor');
    const waitUntil = (promise: Promise<unknown>) => c.executionCtx.waitUntil(promise);
    await loadLanguage(language);
    c.set('content', fresh(store, language, optionsOf(c.env, c.get('log'), waitUntil)));
    await next();
  });

const store = new ContentCache();

/** The same, with this isolate's copy of the content. */
export const translations = translationsFrom(store);

/** Gets a language ready where no visitor asks, such as for a mail. */
export async function loadTranslations(language: Language, env: Env, log: Log): Promise<void> {
  await loadLanguage(language);
  await fresh(
    store,
    language,
    optionsOf(env, log, () => {}),
  );
}
