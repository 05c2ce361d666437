import type { Browser } from 'playwright-core';
import { openChromium } from '../../scripts/chromium.ts';
import { startServer, type TestServer } from './test-server.ts';

let browser: Promise<Browser> | undefined;
/** Reads documents on every request, so `configure` takes effect at once. */
export const uncachedConfig = { CONFIG_CACHE_SECONDS: '0' };

/**
 * Turns failover off, which a slow machine would trigger: a response that takes five seconds opens the gateway's
 * circuit. `failover.slow.test.ts` has a separate server.
 */
const stripeOnly = { routing: [{ gateways: [{ name: 'stripe', weight: 100 }] }] };

const servers = new Map<string, Promise<TestServer>>();

/** One browser per test worker; replaced if it crashes. */
export async function sharedBrowser(): Promise<Browser> {
  const open = await browser?.catch(() => undefined);
  if (open?.isConnected()) return open;
  browser = openChromium();
  return browser;
}

/**
 * One server per test worker, with development variables and built-in documents. Its accounts and fakes are shared
 * by test files.
 */
export async function sharedServer(country: string): Promise<TestServer> {
  const known = await servers.get(country)?.catch(() => undefined);
  const opening = known
    ? Promise.resolve(known)
    : startServer({ vars: uncachedConfig, country, config: stripeOnly });
  servers.set(country, opening);
  const server = await opening;
  await server.restore();
  await server.forgetLimits();
  return server;
}

export async function closeShared(): Promise<void> {
  const open = [browser, ...servers.values()].map((one) => one?.then((each) => each.close()));
  browser = undefined;
  servers.clear();
  await Promise.allSettled(open);
}
