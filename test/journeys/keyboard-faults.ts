import type { Page } from 'playwright-core';

/** Runs in the page after keyboard use: controls that the keyboard cannot reach. */
function findUnreached(): string[] {
  const shown = (element: Element | null) => {
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      const { outlineStyle, outlineWidth } = getComputedStyle(at);
      if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) return true;
    }
    return false;
  };
  const found: string[] = [];
  const controls = 'a[href], button, select, textarea, summary, input:not([type=hidden])';
  for (const control of document.querySelectorAll<HTMLElement>(controls)) {
    const hidden = !control.checkVisibility({ visibilityProperty: true });
    if (hidden || control.matches(':disabled') || control.closest('[inert]')) continue;
    const name = `${control.tagName.toLowerCase()} ${control.textContent || control.id}`;
    control.focus();
    if (document.activeElement !== control) found.push(`can not have the focus: ${name}`);
    else if (!shown(control)) found.push(`does not show the focus: ${name}`);
    if (control.tabIndex !== 0) found.push(`is not where Tab comes along: ${name}`);
  }
  return found;
}

/** Controls that cannot be used or seen with the keyboard, as sentences. */
export async function findKeyboardFaults(page: Page): Promise<string[]> {
  await page.keyboard.press('Tab');
  return page.evaluate(findUnreached);
}
