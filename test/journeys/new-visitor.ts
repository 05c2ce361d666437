import type { Browser, BrowserContextOptions } from 'playwright-core';
import { Visit } from './browser-session.ts';
import { watch } from './console-and-network-errors.ts';
import type { TestServer } from './test-server.ts';

/** A visitor with empty cookies and storage. */
export async function enter(
  browser: Browser,
  server: TestServer,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
  context.setDefaultTimeout(40_000);
  const seen = await watch(context, server.fakes);
  return new Visit(await context.newPage(), server, seen);
}
