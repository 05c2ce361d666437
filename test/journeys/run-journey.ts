import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContextOptions } from 'playwright-core';
import { test } from 'vitest';
import type { Visit } from './browser-session.ts';
import { newVisitor } from './new-visitor.ts';
import { closeShared, sharedBrowser, sharedServer, uncachedConfig } from './test-config.ts';
import { startServer } from './test-server.ts';

/** Whether this run uses the full counts and walks every path: `npm run test:full`. */
export const full = process.env.FULL === '1';

/** Chromium was seen never to confirm that a context is closed. The faults are known without the confirmation. */
const closeTimeoutMs = 30_000;

/**
 * A test with a server and visitors, each checked for faults when the test ends. `vars` are the Worker's variables,
 * `country` is the visitors' location at the edge (ISO 3166 alpha-2), `another` creates further visitors. A file
 * with its own `vars` or country has a separate server.
 */
export const journey = test
  .extend('kept', { scope: 'worker' }, { browser: sharedBrowser, server: sharedServer })
  .extend('shared', { scope: 'worker' }, ({ kept }, { onCleanup }) => {
    onCleanup(closeShared);
    return kept;
  })
  .extend('vars', { scope: 'file' }, {} as Record<string, string>)
  .extend('country', { scope: 'file' }, 'US')
  .extend('browser', { scope: 'file' }, ({ shared }) => shared.browser())
  .extend('server', { scope: 'file' }, async ({ shared, vars, country }, { onCleanup }) => {
    if (Object.keys(vars).length === 0) return shared.server(country);
    const server = await startServer({ vars: { ...uncachedConfig, ...vars }, country });
    onCleanup(() => server.close());
    return server;
  })
  .extend('another', async ({ browser, server }, { onCleanup }) => {
    const visits: Visit[] = [];
    onCleanup(async () => {
      for (const visit of visits) {
        await Promise.race([
          visit.page.context().close(),
          sleep(closeTimeoutMs, null, { ref: false }),
        ]);
        visit.check();
      }
    });
    return async (options: BrowserContextOptions = {}) => {
      const visit = await newVisitor(browser, server, options);
      visits.push(visit);
      return visit;
    };
  })
  .extend('visitor', async ({ another, server }) => {
    await server.forgetLimits();
    return another();
  });

// Files share this object, so an override in one file must not reach the next.
journey.override = journey.extend as typeof journey.override;
