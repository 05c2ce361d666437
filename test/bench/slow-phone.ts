import type { Browser, CDPSession, Page } from 'playwright-core';
import { type Watched, watch } from './page-metrics.ts';

/** A visitor's phone with an empty cache. */
export interface Phone {
  page: Page;
  cdp: CDPSession;
  /** The current document's measurements. */
  watched(): Promise<Watched>;
  close(): Promise<void>;
}

/**
 * A fresh phone: 390×844, CPU ×4, 150 ms, 1.6 Mbit/s down, 750 kbit/s up.
 *
 * @param script runs in each document before its own scripts
 */
export async function openPhone(browser: Browser, script: () => void = watch): Promise<Phone> {
  const viewport = { width: 390, height: 844 };
  const context = await browser.newContext({ viewport, hasTouch: true });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  });
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.addInitScript(script);
  return {
    page,
    cdp,
    watched: () => page.evaluate(() => (window as unknown as { watched: Watched }).watched),
    close: () => context.close(),
  };
}
