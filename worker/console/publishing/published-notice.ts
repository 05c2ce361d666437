import type { Context } from 'hono';
import type { Live } from '../../documents/live-documents.ts';
import { minuteMs } from '../../platform/durations.ts';
import type { App } from '../../platform/env.ts';
import { clockOf } from '../parts/time-zone-choice.ts';
import { unsoldLines } from './rules/review-notes.ts';

/** KV serves an earlier value for a minute, and an isolate for half of one. */
const spreadMs = 2 * minuteMs;

/** After a publication; empty otherwise. */
export function publishedNotice(c: Context<App>, { manifest }: Pick<Live, 'manifest'>): string {
  const published = c.req.query('published') ?? '';
  const time = published.replace(/^(....)(..)(..)-(..)(..)(..)-\d+$/, '$1-$2-$3T$4:$5:$6Z');
  const at = Date.parse(time) + spreadMs;
  return at > 0 && time !== published
    ? [
        `Published version ${published}. Every visitor gets it by ${clockOf(c)(at)}.`,
        ...unsoldLines(manifest.config?.unsold),
      ].join(' ')
    : '';
}
