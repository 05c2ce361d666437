import { takeOver } from './handover.ts';
import { here } from './here.ts';

/**
 * Notes in the history entry how many of our entries lie below it, as the last document told, and
 * gives `/` the address of the screen that it shows. The heading of a screen that follows another
 * has the focus, as after a swap.
 */
export function arrive(): void {
  const depth = takeOver();
  if (depth !== null) {
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }
  const { pathname, search } = location;
  const address = pathname === '/' ? `/${here().screen}${search}` : undefined;
  history.replaceState({ depth: depth ?? 0, ...history.state }, '', address);
}
