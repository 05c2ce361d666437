import { pageData } from '../hydration/page-data.ts';
import { readHandover } from '../storage/window-name-handover.ts';

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
