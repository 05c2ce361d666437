import { pageData } from '../hydration/page-data.ts';
import { readBankReturn } from '../storage/bank-return.ts';
import { readHandover } from '../storage/handover.ts';
import { storageAllowed, writeMemory } from '../storage/state-storage.ts';

/** @returns whether the screen follows another one, so that its heading gets the focus */
export function initHistory(): boolean {
  const depth = readHandover();
  if (depth === null && !storageAllowed()) writeMemory(history.state?.kept ?? []);
  const { pathname, search, hash } = location;
  const { screen, kind } = pageData();
  const code = kind === 'private' && hash.slice(1);
  const isSecret = readBankReturn(search) || code;
  const address = isSecret ? pathname : pathname === '/' ? `/${screen}${search}` : undefined;
  history.replaceState({ depth: depth ?? 0, ...history.state, ...(code && { code }) }, '', address);
  return depth !== null;
}
