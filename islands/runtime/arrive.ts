import { takeOver } from './handover.ts';
import { here } from './here.ts';

/**
 * Notes in the history entry how many of our entries lie below it, as the last document told, and
 * gives `/` the address of the screen that it shows.
 */
export function arrive(): void {
  const { pathname, search } = location;
  const address = pathname === '/' ? `/${here().screen}${search}` : undefined;
  history.replaceState({ depth: takeOver() ?? 0, ...history.state }, '', address);
}
