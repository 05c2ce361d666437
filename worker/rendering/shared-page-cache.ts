import type { Context } from 'hono';
import type { App } from '../platform/env.ts';
import { withTimeout } from '../platform/with-timeout.ts';

const readTimeoutMs = 100;
const writeTimeoutMs = 1000;
const lifetimeSeconds = 24 * 60 * 60;

/**
 * Variables and secrets change pages, and each change of them makes a new version. Without a version nothing is shared.
 * The host is the visitor's, as Cloudflare advises: https://developers.cloudflare.com/workers/runtime-apis/cache/
 */
function addressOf(c: Context<App>, key: string): string | null {
  const version = c.env.CF_VERSION_METADATA?.id;
  return version ? new URL(`/pages/${version}/${encodeURIComponent(key)}`, c.req.url).href : null;
}

const pages = () => caches.open('pages');

async function find(address: string): Promise<string | undefined> {
  const response = await (await pages()).match(address);
  return response?.text();
}

/** HTML with placeholders that another isolate of this data centre has rendered; a late cache counts as empty. */
export async function readSharedPage(c: Context<App>, key: string): Promise<string | undefined> {
  const address = addressOf(c, key);
  if (!address) return undefined;
  return withTimeout(find(address), readTimeoutMs).catch(() => undefined);
}

/** In the background. @param html with placeholders: nothing about the visitor */
export function sharePage(c: Context<App>, key: string, html: string): void {
  const address = addressOf(c, key);
  if (!address) return;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': `max-age=${lifetimeSeconds}`,
  };
  const put = pages().then((cache) => cache.put(address, new Response(html, { headers })));
  // Without the cache, the next isolate renders the page itself.
  c.executionCtx.waitUntil(withTimeout(put, writeTimeoutMs).catch(() => {}));
}
