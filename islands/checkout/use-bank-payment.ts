import { useState } from 'react';
import { track } from '../runtime/tracking/track.ts';
import { $checkout, forgetFailure } from '../stores/checkout.ts';
import { ConnectionError } from '../vendors/payment-provider.ts';
import { payMainPlan } from './pay.ts';
import type { PurchaseTexts } from './purchase.ts';
import { useReloadOnRestore } from './redirects.ts';
import type { useBankFields } from './use-bank-fields.ts';

type Mounted = NonNullable<ReturnType<typeof useBankFields>['mounted']['current']>;

export function useBankPayment(
  { mounted, load }: ReturnType<typeof useBankFields>,
  texts: PurchaseTexts,
  declined: string,
) {
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState('');
  useReloadOnRestore(pending);
  const open = () => {
    setFailure('');
    void load();
  };
  const payWith = async ({ provider, fields }: Mounted, plan: string, coupon?: string) => {
    track('subs_purchase_started', { plan, gateway: provider.gateway });
    const paid = await fields.pay();
    const returnPath = location.pathname;
    return payMainPlan({ plan, coupon, provider, ...paid, returnPath, texts, declined });
  };
  const pay = async (plan: string, coupon: string | undefined) => {
    const bank = mounted.current;
    if (pending || !bank) return;
    setPending(true);
    setFailure('');
    const isPaid = await payWith(bank, plan, coupon).catch((error) => {
      setFailure(error instanceof ConnectionError ? texts.lost : texts.failed);
      return true;
    });
    if (!isPaid) {
      // Shown here, and not at the card form.
      setFailure($checkout.get().paymentError.message);
      forgetFailure();
    }
    setPending(false);
  };
  return { pending, failure, open, pay };
}
