/** The query that the bank's page added to our URL; empty unless the buyer comes from one. */
export let bankReturn = '';

/** @returns whether the URL contains a payment's secret, which no other code may read */
export function readBankReturn(search: string): boolean {
  if (!search.includes('payment_intent=')) return false;
  bankReturn = search;
  // Reserves space for the payment's result from the first paint.
  document.documentElement.dataset.returned = '';
  return true;
}
