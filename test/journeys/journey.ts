import type { BrowserContextOptions } from 'playwright-core';
import { test } from 'vitest';
import { openChromium } from '../../scripts/chromium.ts';
import { enter } from './enter.ts';
import { openHouse } from './house.ts';
import type { Visit } from './visit.ts';

/**
 * A test with a house of its file's own and visitors, each of whom is checked when the test ends.
 * `vars` are the Worker's variables, `country` is where the edge sees visitors (ISO 3166 alpha-2),
 * `visitor` is one visitor, `another` lets in more.
 */
export const journey = test
  .extend('vars', { scope: 'file' }, {} as Record<string, string>)
  .extend('country', { scope: 'file' }, 'US')
  .extend('browser', { scope: 'file' }, async ({ vars: _ }, { onCleanup }) => {
    const browser = await openChromium();
    onCleanup(() => browser.close());
    return browser;
  })
  .extend('house', { scope: 'file' }, async ({ vars, country }, { onCleanup }) => {
    const house = await openHouse({ vars, country });
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
  .extend('visitor', ({ another }) => another());
