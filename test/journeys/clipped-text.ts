import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Visit } from './browser-session.ts';

/** Runs in the page: texts that are clipped, outside the window, overlap another, or show a placeholder. */
function findClipped(): string[] {
  const slack = 1;
  const main = document.querySelector('main') as HTMLElement;
  const scrolls = (element: Element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
  const isBox = (element: Element) =>
    !/^(inline|contents)$/.test(getComputedStyle(element).display);
  /** Screen-reader text, images, other carousel items, hidden elements. */
  const isAside = (element: Element) => {
    const fading = '[data-preloader]:not([role])';
    if (!element.checkVisibility() || element.closest(`svg, select, [popover], ${fading}`)) {
      return true;
    }
    for (let at: Element | null = element; at; at = at.parentElement) {
      const { clipPath, visibility } = getComputedStyle(at);
      if (clipPath !== 'none' || visibility === 'hidden' || scrolls(at)) return true;
      if (at === main) return false;
    }
    return false;
  };
  const boxOf = (element: Element) => {
    let box = element;
    while (!isBox(box) && box.parentElement) box = box.parentElement;
    return box.getBoundingClientRect();
  };
  const isAbove = (element: Element) => {
    for (let at: Element | null = element; at && at !== main; at = at.parentElement) {
      if (/fixed|sticky/.test(getComputedStyle(at).position)) return true;
    }
    return false;
  };

  /** An opaque box hides the labels behind it. */
  const coverOf = (element: Element) => element.closest('[data-preloader]');

  const found: string[] = [];
  const lines: { text: string; element: Element; rect: DOMRect; cover: Element | null }[] = [];
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement as Element;
    const text = node.textContent?.trim() ?? '';
    if (!text || isAside(element)) continue;
    if (text.includes('{{')) found.push(`placeholder: ${text}`);
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = boxOf(element);
    for (const rect of range.getClientRects()) {
      if (rect.width < slack) continue;
      if (rect.left < -slack || rect.right > innerWidth + slack) found.push(`outside: ${text}`);
      if (rect.left < box.left - slack || rect.right > box.right + slack) {
        found.push(`over its edge: ${text}`);
      }
      if (!isAbove(element)) lines.push({ text, element, rect, cover: coverOf(element) });
    }
  }
  for (const element of main.querySelectorAll('*')) {
    const cuts = getComputedStyle(element).overflowX === 'hidden';
    if (!cuts || isAside(element) || element.matches('[data-scene]')) continue;
    if (element.scrollWidth > element.clientWidth + slack) found.push(`cut: ${element.className}`);
  }
  // Letters fill the middle of a line; the rest is space for accents.
  const middle = ({ top, height }: DOMRect) => [top + height / 4, top + (height * 3) / 4] as const;
  for (const [at, one] of lines.entries()) {
    const [top, bottom] = middle(one.rect);
    for (const other of lines.slice(at + 1)) {
      if (one.cover !== other.cover) continue;
      const [otherTop, otherBottom] = middle(other.rect);
      const across =
        Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
      if (across > 2 && Math.min(bottom, otherBottom) - Math.max(top, otherTop) > 2) {
        found.push(`over each other: ${one.text} / ${other.text}`);
      }
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways');
  return found;
}

/** Texts that are clipped, outside the window, or overlap another, as sentences. */
export const findClippedText = (page: Page): Promise<string[]> => page.evaluate(findClipped);

/** Fails on axe violations and clipped texts of the current screen, and takes a screenshot of it. */
export async function checkScreen(visitor: Visit, name: string): Promise<void> {
  await visitor.checkAccessibility();
  expect(await findClippedText(visitor.page)).toEqual([]);
  await visitor.shoot(name);
}
