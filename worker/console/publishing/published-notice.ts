import type { Context } from 'hono';
import type { Live } from '../../documents/document-store.ts';
import type { App } from '../../platform/env.ts';
import { unsoldLines } from './rules/review-notes.ts';

/** After a publication; empty otherwise. */
export function publishedNotice(c: Context<App>, { manifest }: Pick<Live, 'manifest'>): string {
  const published = c.req.query('published') ?? '';
  return /^[\d-]{1,32}$/.test(published)
    ? [
        `Published version ${published}. The change is live within about a minute.`,
        ...unsoldLines(manifest.config?.unsold),
      ].join(' ')
    : '';
}
