import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import { Hono } from 'hono';
import { recordExposures } from '../../worker/analytics/exposure.ts';
import { loadEnglish } from '../../worker/content/translations.ts';
import { assignmentFrom } from '../../worker/experiments/assignment.ts';
import { LiveConfig } from '../../worker/experiments/live-config.ts';
import { preview } from '../../worker/experiments/preview.ts';
import { requestLog } from '../../worker/http/request-log.ts';
import { errorHandler } from '../../worker/pages/error-handler.ts';
import { showScreen } from '../../worker/pages/page-handlers.ts';
import type { App } from '../../worker/platform/env.ts';
import { visitor } from '../../worker/visitor/visitor.ts';
import { kvOf } from './kv-of.ts';

// This server has no middleware that loads a language.
await loadEnglish();

export type Read = (key: string) => Promise<string | null>;

/** Two documents that are valid together. */
export const good = {
  'config.json': JSON.stringify({
    experiment: 'good',
    variants: [{ key: 'intro/7d', weight: 100, flow: 'lp11ch8' }],
  }),
  'flows.json': JSON.stringify({ flows: {} }),
};

/** A KV with these documents. */
export const answers =
  (documents: Record<string, string | null>): Read =>
  async (key) =>
    documents[key] ?? null;

/**
 * An isolate with its own copy of the configuration, on a KV with these responses. A visit returns the version of
 * the documents that it was served with: the one that earlier visits read. Waiting for a screen's background work
 * takes 100 ms, because exposures wait for others; `/nothing` reads the documents without an exposure. A visit that does
 * not wait reads nothing, because the next one's documents would go unread until its read has ended.
 */
export function isolate() {
  let version = '';
  const server = new Hono<App>()
    .use(
      requestLog,
      preview,
      visitor,
      assignmentFrom(new LiveConfig(), recordExposures),
      (c, next) => {
        version = c.var.assignment.configuration.version;
        return next();
      },
    )
    .get('/nothing', (c) => c.body(null))
    .get('/:screen', showScreen)
    .onError(errorHandler);
  return async (get: Read, wait = true, path = '/one_pager', headers: HeadersInit = {}) => {
    const context = createExecutionContext();
    const seconds = wait ? '-1' : '3600';
    const bindings = { ...env, FUNNEL: kvOf(get), CONFIG_CACHE_SECONDS: seconds };
    const own = { 'accept-language': 'en', 'user-agent': 'Mozilla/5.0', ...headers };
    const response = await server.request(path, { headers: own }, bindings, context);
    const html = await response.text();
    if (wait) await waitOnExecutionContext(context);
    return { status: response.status, html, cookies: response.headers.getSetCookie(), version };
  };
}
