import type { Browser, CDPSession, Page } from 'playwright-core';
import type { PrerenderingBrowser, Protocol, Tab } from '../prerendering-browser.ts';
import { type Watched, watch } from './page-metrics.ts';

/** A visitor's phone with an empty cache. */
export interface Phone {
  page: Page;
  cdp: CDPSession;
  /** The current document's measurements. */
  watched(): Promise<Watched>;
  close(): Promise<void>;
}

const viewport = { width: 390, height: 844 };

/** Latency in ms; bytes per second. */
export const slowNetwork = {
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};

/** CPU ×4, 150 ms, 1.6 Mbit/s down, 750 kbit/s up. */
const slowDown = (cdp: Protocol) => [
  cdp.send('Network.enable'),
  cdp.send('Network.emulateNetworkConditions', { offline: false, ...slowNetwork }),
  cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 }),
];

/** A fresh, slow phone. */
export async function openPhone(browser: Browser): Promise<Phone> {
  const context = await browser.newContext({ viewport, hasTouch: true });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await Promise.all(slowDown(cdp));
  await page.addInitScript(watch);
  return {
    page,
    cdp,
    watched: () => page.evaluate(() => (window as unknown as { watched: Watched }).watched),
    close: () => context.close(),
  };
}

/**
 * A fresh phone whose browser prerenders.
 *
 * @param script runs in each document before its own scripts; `report` sends a text to `Runtime.bindingCalled`
 */
export function openTab(
  browser: PrerenderingBrowser,
  script: () => void,
  isSlow: boolean,
): Promise<Tab> {
  return browser.openTab((document) => [
    document.send('Page.enable'),
    document.send('Runtime.enable'),
    document.send('Log.enable'),
    document.send('Runtime.addBinding', { name: 'report' }),
    document.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${script})()` }),
    document.send('Emulation.setDeviceMetricsOverride', {
      ...viewport,
      deviceScaleFactor: 1,
      mobile: false,
    }),
    document.send('Emulation.setTouchEmulationEnabled', { enabled: true }),
    ...(isSlow ? slowDown(document) : [document.send('Network.enable')]),
  ]);
}
