import { useState } from 'react';
import { track } from '../runtime/tracking/track.ts';
import { $checkout } from '../stores/checkout.ts';
import { setError } from '../stores/error.ts';
import { payMainPlan } from './pay.ts';
import type { Texts } from './purchase.ts';
import { useReloadOnRestore, withBankHandover } from './redirects.ts';
import type { WalletHandlers } from './use-wallets.ts';

/** Pays a plan from a wallet's sheet. The toast shows errors. */
export function useWalletPayment(texts: Texts, unavailable: string) {
  const [pending, setPending] = useState(false);
  useReloadOnRestore(pending);
  const handlers: WalletHandlers = {
    onStart: ({ gateway }, { plan }) => track('subs_purchase_started', { plan, gateway }),
    async onPay(provider, nonce, { plan, coupon }, more) {
      setPending(true);
      try {
        const paid = await payMainPlan({
          ...more,
          plan,
          coupon,
          provider: more.method === 'paypal' ? withBankHandover(provider) : provider,
          method: more.method ?? 'wallet',
          returnPath: location.pathname,
          nonce,
          texts,
        });
        const { show, message } = $checkout.get().paymentError;
        if (!paid && show) setError(message);
        return paid;
      } finally {
        setPending(false);
      }
    },
    onError({ gateway }, message, agreed) {
      const decline_code = message ? 'wallet_refused' : 'unavailable';
      if (agreed) track('subs_purchase_failed', { plan: agreed.plan, gateway, decline_code });
      setError(message || unavailable);
    },
  };
  return { pending, handlers };
}
