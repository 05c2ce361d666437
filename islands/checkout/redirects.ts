import { useEffect } from 'react';
import { writeBankHandover } from '../runtime/storage/leave-for-bank.ts';
import { providerOf } from '../vendors/load-payment-provider.ts';
import type { Provider, ProviderSettings } from '../vendors/payment-provider.ts';

/** Stores the page's state before the payment leads to a bank's page or PayPal's. */
export const withBankHandover = (provider: Provider): Provider => ({
  ...provider,
  confirm(challenge, words) {
    writeBankHandover();
    return provider.confirm(challenge, words);
  },
});

/** Stripe's fields for methods that may redirect to another page. */
export const redirectingStripe = async (
  access: Pick<ProviderSettings, 'vendors' | 'language' | 'fallback'>,
): Promise<Provider> =>
  withBankHandover(
    await providerOf({ ...access, forcedProvider: 'stripe', preferred: null, method: 'card' }),
  );

/** Back from the other page may restore this document, which would still be waiting for the payment. */
export function useReloadOnRestore(isWaiting: boolean): void {
  useEffect(() => {
    if (!isWaiting) return;
    const restored = ({ persisted }: PageTransitionEvent) => persisted && location.reload();
    addEventListener('pageshow', restored);
    return () => removeEventListener('pageshow', restored);
  }, [isWaiting]);
}
