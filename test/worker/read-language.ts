import { env } from 'cloudflare:test';
import { loadLanguage } from '../../worker/content/translations.ts';
import { logger } from '../../worker/log.ts';

/** Has the isolate read a language's built-in texts, as a request for it does. */
export const readLanguage = (language: string): Promise<boolean> =>
  loadLanguage(language, env, logger());
