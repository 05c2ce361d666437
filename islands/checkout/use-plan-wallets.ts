import { useStore } from '@nanostores/react';
import type { RefObject } from 'react';
import type { PlanView } from '../../worker/catalog/rules/plans.ts';
import type { StripeWallet } from '../../worker/catalog/rules/stripe-wallets.ts';
import type { GatewayName } from '../../worker/payments/purchase/state.ts';
import { $checkout, $takeover } from '../stores/checkout.ts';
import { $loader } from '../stores/pending.ts';
import type { GoogleMerchant } from '../vendors/payment-provider.ts';
import { walletSum } from '../vendors/wallet-amount.ts';
import type { PurchaseTexts } from './purchase.ts';
import { useChosenPlan } from './use-chosen-plan.ts';
import { useWalletPayment } from './use-wallet-payment.ts';
import { useWallets } from './use-wallets.ts';

export interface PlanWallets {
  text: PurchaseTexts & { unavailable: string };
  plans: PlanView[];
  productNames: string[];
  language: string;
  vendors: string;
  orderButton: 'pay' | 'order';
  stripe?: { key: string; name: string };
  provider?: GatewayName | null;
  paypal: boolean;
  /** Wallets that may pay every plan. */
  stripeWallets?: StripeWallet[];
  google: GoogleMerchant;
}

interface Options {
  single?: boolean;
  show?: () => void;
}

export function usePlanWallets(
  place: RefObject<HTMLElement | null>,
  wallets: PlanWallets,
  { single = false, show }: Options = {},
) {
  const { text, plans, productNames, language, vendors, orderButton, google } = wallets;
  const { stripe: fallback, provider: preferred = null, paypal, stripeWallets } = wallets;
  const { plan: chosen, today, coupon, code } = useChosenPlan(plans);
  const takeover = useStore($takeover, { ssr: 'initial' });
  const isPaying = useStore($loader, { ssr: 'initial' });
  const { paymentError } = useStore($checkout, { keys: ['paymentError'], ssr: 'initial' });
  const { pays, closed, handlers } = useWalletPayment(text, text.unavailable, show);
  const forcedProvider = takeover?.to ?? null;
  const plan = chosen as PlanView;
  const label = productNames[plans.indexOf(plan)] ?? '';
  const { state, names } = useWallets(
    place,
    { vendors, language, forcedProvider, preferred, method: 'wallet', fallback },
    {
      sum: { ...walletSum(plan, label, today, coupon), coupon: code },
      paypal,
      stripeWallets,
      buttonLabel: orderButton,
      google,
      single,
      ...handlers,
    },
  );
  // While a payment runs, and where a new try is refused as well.
  const inert = isPaying || (paymentError.show && paymentError.way === 'support');
  return { state, names, pays, closed, inert };
}
