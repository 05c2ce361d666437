import type { BrowserContextOptions } from 'playwright-core';
import { test } from 'vitest';
import type { Visit } from './browser-session.ts';
import { enter } from './new-visitor.ts';
import { closeShared, eager, sharedBrowser, sharedHouse } from './test-config.ts';
import { openHouse } from './test-server.ts';

/**
 * A test with a house and visitors, each of whom is checked when the test ends. `vars` are the
 * Worker's variables, `country` is where the edge sees visitors (ISO 3166 alpha-2), `visitor` is
 * one visitor, `another` lets in more. A file whose house has variables has it for itself.
 */
export const journey = test
  .extend('kept', { scope: 'worker' }, { browser: sharedBrowser, house: sharedHouse })
  .extend('shared', { scope: 'worker' }, ({ kept }, { onCleanup }) => {
    onCleanup(closeShared);
    return kept;
  })
  .extend('vars', { scope: 'file' }, {} as Record<string, string>)
  .extend('country', { scope: 'file' }, 'US')
  .extend('browser', { scope: 'file' }, ({ shared }) => shared.browser())
  .extend('house', { scope: 'file' }, async ({ shared, vars, country }, { onCleanup }) => {
    if (Object.keys(vars).length === 0) return shared.house(country);
    const house = await openHouse({ vars: { ...eager, ...vars }, country });
    onCleanup(() => house.close());
    return house;
  })
  .extend('another', async ({ browser, house }, { onCleanup }) => {
    const visits: Visit[] = [];
    onCleanup(async () => {
      for (const visit of visits) {
        await visit.page.context().close();
        visit.check();
      }
    });
    return async (options: BrowserContextOptions = {}) => {
      const visit = await enter(browser, house, options);
      visits.push(visit);
      return visit;
    };
  })
  .extend('visitor', async ({ another, house }) => {
    await house.forgetIntros();
    return another();
  });

// Files share this test: what one of them overrides must not reach the next.
journey.override = journey.extend as typeof journey.override;
