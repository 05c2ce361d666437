import { allStored, storageAllowed } from './state-storage.ts';

const bankKey = 'funnel:1:bank';

/**
 * Keeps what only memory holds over a payment at the bank's own page, which clears `window.name`. Without it
 * the payment that the buyer asked for could not be finished, so it needs no consent; it is read once.
 */
export function writeBankHandover(): void {
  if (storageAllowed()) return;
  try {
    sessionStorage.setItem(bankKey, JSON.stringify(allStored()));
  } catch {}
}

export function readBankHandover(): [string, string][] | null {
  try {
    const kept = sessionStorage.getItem(bankKey);
    sessionStorage.removeItem(bankKey);
    return kept && JSON.parse(kept);
  } catch {
    return null;
  }
}
