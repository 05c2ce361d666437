import { useState } from 'react';
import { money } from '../../locales/format/money.ts';
import { track } from '../runtime/tracking/track.ts';
import { $checkout, $walletFailure, forgetFailure } from '../stores/checkout.ts';
import { payMainPlan } from './pay.ts';
import type { PurchaseTexts } from './purchase.ts';
import { useReloadOnRestore, withBankHandover } from './redirects.ts';
import type { WalletHandlers } from './use-wallets.ts';
import type { RefusalReason } from './way-forward.ts';

/**
 * Pays a plan from a wallet's sheet. Errors are shown at the wallets.
 * @param onFailure makes that place visible
 */
export function useWalletPayment(texts: PurchaseTexts, unavailable: string, onFailure = () => {}) {
  const [pending, setPending] = useState(false);
  useReloadOnRestore(pending);
  const fail = ({ message, detail, way }: RefusalReason) => {
    $walletFailure.set({ message, detail, way });
    onFailure();
  };
  const handlers: WalletHandlers = {
    onStart({ gateway }, { plan }) {
      $walletFailure.set({ message: '', way: 'retry' });
      track('subs_purchase_started', { plan, gateway });
    },
    async onPay(provider, nonce, { plan, coupon, today, currency }, more) {
      setPending(true);
      try {
        const paid = await payMainPlan({
          ...more,
          amount: money(today, currency, document.documentElement.lang),
          plan,
          coupon,
          provider: more.method === 'paypal' ? withBankHandover(provider) : provider,
          method: more.method ?? 'wallet',
          returnPath: location.pathname,
          nonce,
          texts,
        });
        const { paymentError } = $checkout.get();
        // Shown here, and not at the card form.
        forgetFailure();
        if (!paid && paymentError.show) fail(paymentError);
        return paid;
      } finally {
        setPending(false);
      }
    },
    onError({ gateway }, message, agreed) {
      // The wallet's own words are not shown: they are in any language.
      const decline_code = message ? 'wallet_refused' : 'unavailable';
      if (agreed) track('subs_purchase_failed', { plan: agreed.plan, gateway, decline_code });
      fail({ message: unavailable, way: 'retry' });
    },
  };
  return { pending, handlers };
}
