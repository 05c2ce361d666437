import { bankReturn } from './bank-return.ts';
import { handoverKey } from './handover.ts';
import { memoryEntries, storageAllowed } from './state-storage.ts';

/** The bank's page clears `window.name`. Necessary for the payment, so it needs no consent; it is read once. */
export function writeBankHandover(): void {
  if (storageAllowed()) return;
  try {
    sessionStorage.setItem(handoverKey, JSON.stringify({ depth: null, kept: memoryEntries() }));
  } catch {}
}

let isReturned = false;

/** Returns once the payment with which the buyer comes back (docs.stripe.com/payments/ideal/accept-a-payment). */
export function takeBankReturn(): { paymentId: string; isPaid: boolean } | null {
  const query = new URLSearchParams(bankReturn);
  const paymentId = query.get('payment_intent');
  if (!paymentId || isReturned) return null;
  isReturned = true;
  return { paymentId, isPaid: query.get('redirect_status') === 'succeeded' };
}
