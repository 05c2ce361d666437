import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findClippedText } from './clipped-text.ts';
import { ignoreLayoutShifts } from './console-and-network-errors.ts';
import { findSmallTargets } from './touch-targets.ts';
import { waitUntilStable } from './wait-until-stable.ts';

/**
 * Layout faults as sentences: at 320 and 350 px, tap targets, wide letter spacing, and doubled text
 * size. The window must be 320 px wide at first.
 */
export async function findLayoutFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  const add = (where: string, some: readonly string[]) =>
    faults.push(...some.map((fault) => `${where}: ${fault}`));
  await ignoreLayoutShifts(page);
  add('320 px', await findClippedText(page));
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: 320, height });
  add('too small', await findSmallTargets(page));
  await page.setViewportSize({ width: 350, height: 700 });
  add('350 px', await findClippedText(page));
  await setStyle(page, { letterSpacing: wide });
  add('350 px, wide letters', await findClippedText(page));
  await page.setViewportSize({ width: 390, height: 844 });
  await setStyle(page, { fontSize: '200%' });
  const size = await page.evaluate(() => getComputedStyle(document.body).fontSize);
  expect(size).toBe('32px');
  add('large text', await findClippedText(page));
  await setStyle(page, { fontSize: '200%', letterSpacing: wide });
  add('large text, wide letters', await findClippedText(page));
  await setStyle(page, {});
  return faults;
}

/** Letter spacing of WCAG 1.4.12; it also covers wider system fonts. */
const wide = '0.12em';

/** Replaces the root’s styles, and waits for what has begun to load meanwhile, such as card fields. */
async function setStyle(
  page: Page,
  style: { fontSize?: string; letterSpacing?: string },
): Promise<void> {
  await page.evaluate((wanted) => {
    document.documentElement.removeAttribute('style');
    Object.assign(document.documentElement.style, wanted);
  }, style);
  await waitUntilStable(page);
}
