import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { clippedOn } from './clipped.ts';
import { smallOn } from './targets.ts';
import { disturb } from './watch.ts';

/**
 * What is wrong with how a page is laid out, each as a sentence: at 320 and 350 px, where a finger
 * taps, and with letters twice as large. A page that was opened in a window of 320 px grows with it.
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
  await page.setViewportSize({ width: 390, height: 844 });
  const size = await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
    return getComputedStyle(document.body).fontSize;
  });
  expect(size).toBe('32px');
  add('large text', await clippedOn(page));
  await page.evaluate(() => document.documentElement.removeAttribute('style'));
  return faults;
}
