import type { Page } from 'playwright-core';

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
export const findSmallTargets = (page: Page): Promise<string[]> => page.evaluate(findSmall);
