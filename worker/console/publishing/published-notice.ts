import type { Context } from 'hono';
import type { Live } from '../../documents/document-store.ts';
import { minuteMs } from '../../platform/durations.ts';
import type { App } from '../../platform/env.ts';
import { clockOf } from '../parts/time-zone-choice.ts';
import { unsoldLines } from './rules/review-notes.ts';

/** KV serves an earlier value for a minute, and an isolate for half of one. */
const spreadMs = 2 * minuteMs;

/** After a publication; empty otherwise. */
export function publishedNotice(c: Context<App>, { manifest }: Pick<Live, 'manifest'>): string {
  const published = c.req.query('published') ?? '';
  const [id, ...parts] = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-\d+$/.exec(published) ?? [];
  const [year = 0, month = 0, ...time] = parts.map(Number);
  return id
    ? [
        `Published version ${id}. Every visitor gets it by ${clockOf(c)(Date.UTC(year, month - 1, ...time) + spreadMs)}.`,
        ...unsoldLines(manifest.config?.unsold),
      ].join(' ')
    : '';
}
