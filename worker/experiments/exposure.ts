import type { Context } from 'hono';
import type { App } from '../env.ts';
import { countExposures, type Exposure } from './exposure-table.ts';
import { isScreenId } from './rules/flows.ts';

/** Whether a browser only fetches in advance what may never be seen. */
export function isPrefetch(request: Request): boolean {
  const { headers } = request;
  const purpose = `${headers.get('sec-purpose')} ${headers.get('x-purpose')}`;
  return purpose.toLowerCase().includes('prefetch');
}

/** How programs name themselves; the phone maker Cubot is none. */
const programs =
  /(?<!cu)bot\b|crawl|spider|slurp|facebookexternalhit|facebookcatalog|whatsapp\/|lighthouse|pingdom|curl\/|wget\/|python|okhttp|go-http-client|node-fetch|axios\//i;

/** Whether a program asks; every browser says which languages its user reads. */
export function isBot(request: Request): boolean {
  const { headers } = request;
  return !headers.get('accept-language') || programs.test(headers.get('user-agent') ?? '');
}

/** Whether the answer is a screen of the funnel that a visitor sees. */
export function countsAsExposure(c: Context<App>): boolean {
  const page = c.get('page');
  const screen = page !== undefined && isScreenId(page.screen);
  return screen && c.req.method === 'GET' && c.res.status === 200 && !isPrefetch(c.req.raw);
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : 'thrown');

/** Through the queue, which spares the database; where it is down, into the database at once. */
async function count({ env, var: { log } }: Context<App>, exposure: Exposure): Promise<void> {
  const { experiment: key, arm } = exposure;
  try {
    await env.EXPOSURE_QUEUE.send(exposure);
  } catch (error) {
    try {
      await countExposures(env.DB, [exposure], exposure.at);
      log('warn', 'exposure_queue_fallback', { key, arm, reason: reasonOf(error) });
    } catch {
      log('error', 'exposure_lost', { key, arm, reason: reasonOf(error) });
    }
  }
}

/** Has it counted that a visitor sees an arm for the first time, unless it is a program's visit. */
export function recordExposure(c: Context<App>, experiment: string, arm: string): void {
  if (isBot(c.req.raw)) return;
  const exposure = { id: crypto.randomUUID(), experiment, arm, at: Date.now() };
  c.executionCtx.waitUntil(count(c, exposure));
}
