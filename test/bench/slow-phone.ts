import type { Browser } from 'playwright-core';

/** What a visitor on a slow phone sees of one page; times in ms, bytes as sent. */
export interface Seen {
  fcp: number;
  lcp: number;
  blocking: number;
  longest: number;
  shift: number;
  bytesAtLcp: number;
  bytes: number;
}

const watch = () => {
  const seen = { fcp: 0, lcp: 0, blocking: 0, longest: 0, shift: 0 };
  Object.assign(window, { seen });
  const on = (type: string, use: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(use)).observe({
      type,
      buffered: true,
    });
  on('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') seen.fcp = startTime;
  });
  on('largest-contentful-paint', ({ startTime }) => {
    seen.lcp = startTime;
  });
  on('longtask', ({ duration }) => {
    seen.blocking += duration - 50;
    seen.longest = Math.max(seen.longest, duration);
  });
  on('layout-shift', (entry) => {
    seen.shift += (entry as PerformanceEntry & { value: number }).value;
  });
};

/** Opens a page in a fresh context on a phone with CPU ×4, 150 ms, 1.6 Mbit/s, and watches it for 5 s. */
export async function see(browser: Browser, url: string): Promise<Seen> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
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
  const loads: { at: number; bytes: number }[] = [];
  const start = Date.now();
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
    loads.push({ at: Date.now() - start, bytes: encodedDataLength });
  });
  await page.addInitScript(watch);
  await page.goto(url);
  await page.waitForTimeout(5000);
  const seen = await page.evaluate(() => (window as unknown as { seen: Omit<Seen, 'bytes'> }).seen);
  await context.close();
  const sum = (all: typeof loads) => all.reduce((total, { bytes }) => total + bytes, 0);
  return {
    ...seen,
    bytesAtLcp: sum(loads.filter(({ at }) => at <= seen.lcp)),
    bytes: sum(loads),
  };
}
