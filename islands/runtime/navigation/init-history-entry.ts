import { pageData } from '../hydration/page-data.ts';
import { readBankHandover, readBankReturn } from '../storage/bank-handover.ts';
import { restoreStored, storageAllowed } from '../storage/state-storage.ts';
import { readHandover } from '../storage/window-name-handover.ts';

/** @returns whether the screen follows another one, so that its heading gets the focus */
export function initHistory(): boolean {
  const depth = readHandover();
  const paid = readBankHandover();
  if (depth === null && !storageAllowed()) restoreStored(paid ?? history.state?.kept ?? []);
  const { pathname, search, hash } = location;
  const { screen, kind } = pageData();
  const code = kind === 'private' && hash.slice(1);
  const isSecret = readBankReturn(search) || code;
  const address = isSecret ? pathname : pathname === '/' ? `/${screen}${search}` : undefined;
  history.replaceState({ depth: depth ?? 0, ...history.state, ...(code && { code }) }, '', address);
  return depth !== null;
}
