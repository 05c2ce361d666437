export const bankKey = 'funnel:1:bank';

export function readBankHandover(): [string, string][] | null {
  try {
    const kept = sessionStorage.getItem(bankKey);
    sessionStorage.removeItem(bankKey);
    return kept && JSON.parse(kept);
  } catch {
    return null;
  }
}

/** What the bank's page added to our address; empty where the buyer does not come from one. */
export let bankReturn = '';

/** @returns whether the address holds a payment's secret, which nothing else may read */
export function readBankReturn(search: string): boolean {
  if (!search.includes('payment_intent=')) return false;
  bankReturn = search;
  // The place of what is then said of the payment is kept from the first paint on.
  document.documentElement.dataset.returned = '';
  return true;
}
