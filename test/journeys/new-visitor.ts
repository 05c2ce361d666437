import type { Browser, BrowserContextOptions } from 'playwright-core';
import { Visit } from './browser-session.ts';
import { openContext } from './console-and-network-errors.ts';
import type { TestServer } from './test-server.ts';

/** A visitor with empty cookies and storage; animations are off except in the full run, because they take time. */
export async function newVisitor(
  browser: Browser,
  server: TestServer,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const { context, seen } = await openContext(browser, server.fakes, {
    viewport: { width: 390, height: 844 },
    reducedMotion: process.env.FULL === '1' ? 'no-preference' : 'reduce',
    ...options,
  });
  context.setDefaultTimeout(40_000);
  return new Visit(await context.newPage(), server, seen);
}
