import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { clippedOn } from './clipped-text.ts';
import { disturb } from './console-and-network-errors.ts';
import { smallOn } from './touch-targets.ts';

/**
 * What is wrong with how a page is laid out, each as a sentence: at 320 and 350 px, where a finger
 * taps, with letters set wide, and twice as large. A page that was opened in a window of 320 px grows with it.
 */
export async function misfitsOn(page: Page): Promise<string[]> {
  const faults: string[] = [];
  const add = (where: string, some: readonly string[]) =>
    faults.push(...some.map((fault) => `${where}: ${fault}`));
  await disturb(page);
  add('320 px', await clippedOn(page));
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: 320, height });
  add('too small', await smallOn(page));
  await page.setViewportSize({ width: 350, height: 700 });
  add('350 px', await clippedOn(page));
  await setStyle(page, { letterSpacing: wide });
  add('350 px, wide letters', await clippedOn(page));
  await page.setViewportSize({ width: 390, height: 844 });
  await setStyle(page, { fontSize: '200%' });
  const size = await page.evaluate(() => getComputedStyle(document.body).fontSize);
  expect(size).toBe('32px');
  add('large text', await clippedOn(page));
  await setStyle(page, { fontSize: '200%', letterSpacing: wide });
  add('large text, wide letters', await clippedOn(page));
  await setStyle(page, {});
  return faults;
}

/** The letter spacing of WCAG 1.4.12. It also covers every system font that is wider than ours. */
const wide = '0.12em';

/** Gives the page's root these styles and no other. */
const setStyle = (
  page: Page,
  style: { fontSize?: string; letterSpacing?: string },
): Promise<void> =>
  page.evaluate((wanted) => {
    document.documentElement.removeAttribute('style');
    Object.assign(document.documentElement.style, wanted);
  }, style);
