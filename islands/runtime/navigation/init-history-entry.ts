import { pageData } from '../hydration/page-data.ts';
import { readHandover } from '../storage/window-name-handover.ts';

/**
 * Notes in the history entry how many of our entries lie below it, as the last document told, and
 * gives `/` the address of the screen that it shows. A private page's code goes from the address into
 * the entry, where nobody reads it over a shoulder or in a history. The heading of a screen that follows another
 * has the focus, as after a swap.
 */
export function initHistory(): void {
  const depth = readHandover();
  if (depth !== null) {
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }
  const { pathname, search, hash } = location;
  const { screen, kind } = pageData();
  const code = kind === 'private' && hash.slice(1);
  const address = code ? pathname : pathname === '/' ? `/${screen}${search}` : undefined;
  history.replaceState({ depth: depth ?? 0, ...history.state, ...(code && { code }) }, '', address);
}
