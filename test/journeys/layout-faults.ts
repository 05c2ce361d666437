import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findClippedText } from './clipped-text.ts';
import { ignoreLayoutShifts } from './console-and-network-errors.ts';
import { waitUntilStable } from './wait-until-stable.ts';

/** Runs in the page: visible controls with a tap target below 44 px. */
function findSmall(): string[] {
  const least = 44;
  // Subpixel rendering.
  const slack = 0.5;
  const controls = 'a[href], button, select, textarea, summary, input:not([type=hidden])';
  const found: string[] = [];

  /** Links inside sentences are exempt. */
  const inSentence = (control: Element) => {
    if (!control.matches('a') || getComputedStyle(control).display !== 'inline') return false;
    const words = control.parentElement?.cloneNode(true) as Element;
    for (const other of words.querySelectorAll(controls)) other.remove();
    return /\p{L}{2,}/u.test(words.textContent ?? '');
  };
  const areas = (control: Element): Element[] => {
    const labels = (control as HTMLInputElement).labels ?? [];
    return [control, ...labels].filter((area) => area.checkVisibility());
  };
  const isHit = (control: Element, x: number, y: number) => {
    const hit = document.elementFromPoint(x, y);
    return !!hit && areas(control).some((area) => area.contains(hit));
  };
  /** The clickable length through a point, which may exceed the box. */
  const reach = (control: Element, x: number, y: number, across: boolean) => {
    const end = (step: number) => {
      let length = 0;
      const at = () =>
        isHit(control, across ? x + step * (length + 1) : x, across ? y : y + step * (length + 1));
      while (length < least && at()) length += 1;
      return length;
    };
    return end(-1) + 1 + end(1);
  };

  for (const control of document.querySelectorAll(`:is(${controls})`)) {
    const shown = areas(control);
    const boxes = shown.map((area) => area.getBoundingClientRect());
    if (boxes.every(({ width, height }) => width < 2 || height < 2)) continue;
    if (control.closest('[inert], [aria-hidden=true], [hidden]') || inSentence(control)) continue;
    if (boxes.some(({ width, height }) => Math.min(width, height) >= least - slack)) continue;
    const [area] = shown;
    if (!area || (control as HTMLButtonElement).disabled) continue;
    const box = area.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    // Covered by a fixed bar, but visible at another scroll position.
    if (!isHit(control, x, y)) continue;
    const [width, height] = [reach(control, x, y, true), reach(control, x, y, false)];
    if (Math.min(width, height) >= least - slack) continue;
    const name = control.getAttribute('aria-label') || control.textContent?.trim() || control.id;
    found.push(`${width} by ${height}: ${control.tagName.toLowerCase()} ${name}`);
  }
  return found;
}

/** Controls smaller than 44 by 44 px, as sentences. The window must be as tall as the page. */
const findSmallTargets = (page: Page): Promise<string[]> => page.evaluate(findSmall);

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
