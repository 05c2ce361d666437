import { env } from 'cloudflare:test';
import { loadLanguage } from '../../worker/content/translations.ts';
import { logger } from '../../worker/platform/log.ts';

/** Loads a language's built-in texts into the isolate, as a request for it does. */
export const readLanguage = (language: string): Promise<boolean> =>
  loadLanguage(language, env, logger());
