import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { fallback, type Language } from '../../locales/index.ts';
import type { App, Env } from '../platform/env.ts';
import type { Log } from '../platform/log.ts';
import { type Content, ContentCache, type ContentOptions } from './content-cache.ts';
import { contentService } from './content-service.ts';
import { type FlatTexts, isProductText } from './rules/text-overrides.ts';
import { loadLanguage, overrideTexts } from './translations.ts';

export interface ContentVariables {
  /** Remote texts, claims and reviews; an isolate's first request may wait 150 ms for them. */
  content?: Promise<Content>;
  /** Whether the visitor's language could not be read. */
  isFallback?: boolean;
}

const applied = new Map<Language, Pick<Content, 'texts' | 'english'>>();

const maxLogLines = 20;

const productTexts = (texts: FlatTexts | null) =>
  Object.fromEntries(Object.entries(texts ?? {}).filter(([key]) => isProductText(key)));

function applyTexts(language: Language, { texts, english }: Content, log: Log): void {
  const before = applied.get(language);
  if ((before?.texts ?? null) === texts && (before?.english ?? null) === english) return;
  applied.set(language, { texts, english });
  const refused = overrideTexts(language, { ...productTexts(english), ...texts });
  for (const { key, reason } of refused.slice(0, maxLogLines)) {
    log('error', 'translation_refused', { lng: language, text: key.slice(0, 100), reason });
  }
}

const optionsOf = (env: Env, log: Log, waitUntil: ContentOptions['waitUntil']): ContentOptions => ({
  service: contentService(env.FUNNEL, env.CONTENT_URL),
  log,
  waitUntil,
  maxAgeMs: Number(env.CONFIG_CACHE_SECONDS ?? 30) * 1000,
});

async function currentContent(store: ContentCache, language: Language, options: ContentOptions) {
  const content = await store.current(language, options);
  applyTexts(language, content, options.log);
  return content;
}

/**
 * Middleware: loads the visitor's language and starts to read its remote texts. Pages await `c.var.content`; everything
 * else uses the texts that are loaded. A visitor whose language cannot be read is served in English.
 */
export const translationsFrom = (store: ContentCache) =>
  createMiddleware<App>(async (c: Context<App>, next) => {
    const visitor = c.get('visitor');
    const log = c.get('log');
    const isLoaded = await loadLanguage(visitor.language, c.env, log);
    const language = isLoaded ? visitor.language : fallback;
    if (!isLoaded) {
      c.set('visitor', Object.assign(visitor, { language }));
      c.set('isFallback', true);
    }
    const waitUntil = (promise: Promise<unknown>) => c.executionCtx.waitUntil(promise);
    c.set('content', currentContent(store, language, optionsOf(c.env, log, waitUntil)));
    await next();
  });

const store = new ContentCache();

export const translations = translationsFrom(store);

export async function loadTranslations(language: Language, env: Env, log: Log): Promise<void> {
  await loadLanguage(language, env, log);
  await currentContent(
    store,
    language,
    optionsOf(env, log, () => {}),
  );
}
