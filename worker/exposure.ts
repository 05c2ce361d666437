import type { Context } from 'hono';
import type { App, Env } from './env.ts';
import { isScreenId } from './funnel/flows.ts';
import type { Exposure } from './storage/exposures.ts';

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
export function isShown(c: Context<App>): boolean {
  const page = c.get('page');
  const screen = page !== undefined && isScreenId(page.screen);
  return screen && c.req.method === 'GET' && c.res.status === 200 && !isPrefetch(c.req.raw);
}

async function send(c: Context<App>, queue: Env['EXPOSURES'], exposure: Exposure): Promise<void> {
  try {
    await queue.send(exposure);
  } catch (error) {
    const { experiment, arm } = exposure;
    const reason = error instanceof Error ? error.message : 'thrown';
    c.var.log('error', 'exposure_lost', { key: experiment, arm, reason });
  }
}

/** Has it counted that a visitor sees an arm for the first time, unless it is a program's visit. */
export function expose(c: Context<App>, experiment: string, arm: string): void {
  if (isBot(c.req.raw)) return;
  const exposure = { id: crypto.randomUUID(), experiment, arm, at: Date.now() };
  c.executionCtx.waitUntil(send(c, c.env.EXPOSURES, exposure));
}
