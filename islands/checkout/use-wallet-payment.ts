import { useStore } from '@nanostores/react';
import { useRef, useState } from 'react';
import { money } from '../../locales/format/money.ts';
import { track } from '../runtime/tracking/track.ts';
import { $checkout, $walletFailure, $walletPays, forgetFailure } from '../stores/checkout.ts';
import { payMainPlan } from './pay.ts';
import type { PurchaseTexts } from './purchase.ts';
import { useReloadOnRestore, withBankHandover } from './redirects.ts';
import type { WalletHandlers } from './use-wallets.ts';
import type { RefusalReason } from './way-forward.ts';

/**
 * Pays a plan from a wallet's sheet. What happens is shown at the wallets.
 * @param show makes that place visible
 */
export function useWalletPayment(texts: PurchaseTexts, unavailable: string, show = () => {}) {
  const pays = useStore($walletPays, { ssr: 'initial' });
  /** Nothing was charged, because nothing was agreed to yet. */
  const [closed, setClosed] = useState(false);
  const agreedOnce = useRef(false);
  useReloadOnRestore(pays !== '');
  const fail = ({ message, detail, way }: RefusalReason) => {
    $walletFailure.set({ message, detail, way });
    show();
  };
  const handlers: WalletHandlers = {
    onClose: () => setClosed(!agreedOnce.current),
    onStart({ gateway }, { plan }) {
      agreedOnce.current = true;
      setClosed(false);
      $walletFailure.set({ message: '', way: 'retry' });
      track('subs_purchase_started', { plan, gateway });
    },
    async onPay(provider, nonce, { plan, coupon, today, currency }, more) {
      const amount = money(today, currency, document.documentElement.lang);
      $walletPays.set([more.wallet, amount].filter(Boolean).join(' · '));
      show();
      try {
        const paid = await payMainPlan({
          ...more,
          amount,
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
        $walletPays.set('');
      }
    },
    onError({ gateway }, message, agreed) {
      // The wallet's own words are not shown: they are in any language.
      const decline_code = message ? 'wallet_refused' : 'unavailable';
      if (agreed) track('subs_purchase_failed', { plan: agreed.plan, gateway, decline_code });
      fail({ message: unavailable, way: 'retry' });
    },
  };
  return { pays, closed, handlers };
}
