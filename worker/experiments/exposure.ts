import type { Context } from 'hono';
import type { App } from '../env.ts';
import { countExposures, type Exposure } from './exposure-table.ts';
import { isScreenId } from './rules/flows.ts';

const prefetches = new WeakMap<Request, boolean>();

export function isPrefetch(request: Request): boolean {
  let known = prefetches.get(request);
  if (known === undefined) {
    const { headers } = request;
    const purpose = `${headers.get('sec-purpose')} ${headers.get('x-purpose')}`;
    known = purpose.toLowerCase().includes('prefetch');
    prefetches.set(request, known);
  }
  return known;
}

/** Cubot is a maker of phones, not a bot. */
const botAgents =
  /(?<!cu)bot\b|crawl|spider|slurp|facebookexternalhit|facebookcatalog|whatsapp\/|lighthouse|pingdom|curl\/|wget\/|python|okhttp|go-http-client|node-fetch|axios\//i;

/** A request without Accept-Language counts as a bot: every browser sends it. */
export function isBot(request: Request): boolean {
  const { headers } = request;
  return !headers.get('accept-language') || botAgents.test(headers.get('user-agent') ?? '');
}

/** Whether the response is a funnel screen that a visitor sees: a 200 to a GET, not prefetched. */
export function countsAsExposure(c: Context<App>): boolean {
  const page = c.get('page');
  const screen = page !== undefined && isScreenId(page.screen);
  return screen && c.req.method === 'GET' && c.res.status === 200 && !isPrefetch(c.req.raw);
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : 'thrown');

async function enqueue({ env, var: { log } }: Context<App>, exposure: Exposure): Promise<void> {
  const { experiment, arm } = exposure;
  try {
    await env.EXPOSURE_QUEUE.send(exposure);
  } catch (error) {
    try {
      await countExposures(env.DB, [exposure], exposure.at);
      log('warn', 'exposure_queue_fallback', { experiment, arm, reason: reasonOf(error) });
    } catch {
      const reason = reasonOf(error);
      log('error', 'exposure_enqueue_failed', { experiment, arm, reason, final: true });
    }
  }
}

export function recordExposure(c: Context<App>, experiment: string, arm: string): void {
  if (isBot(c.req.raw)) return;
  const exposure = { id: crypto.randomUUID(), experiment, arm, at: Date.now() };
  c.executionCtx.waitUntil(enqueue(c, exposure));
}
